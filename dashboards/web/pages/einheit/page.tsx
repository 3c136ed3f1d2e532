import { Page } from '../../frame/page.tsx';

export function ItemPage({ id }: { id: string }) {
  return <Page title={`Einheit ${id}`}>{null}</Page>;
}
