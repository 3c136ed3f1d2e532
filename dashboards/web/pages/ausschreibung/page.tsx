import { Page } from '../../frame/page.tsx';

export function ItemPage({ id }: { id: string }) {
  return <Page title={`Ausschreibung ${id}`}>{null}</Page>;
}
