import { Page as Frame } from '../../frame/page.tsx';

export function Page() {
  return <Frame title="Einheiten">{null}</Frame>;
}
