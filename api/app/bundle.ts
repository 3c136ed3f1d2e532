import { basename, join } from 'node:path';
import { build, type OutputFile, type Plugin, stop } from 'esbuild';
import type { Logger } from '../../runtime/log.ts';
import { Asset } from '../wire/asset.ts';

/** The files that browsers load of the pages. */
export interface Bundle {
  /** Files by the name in their address, which has a digest of their content. */
  readonly files: ReadonlyMap<string, BundleFile>;
  /** Name of the script that every page begins with. */
  readonly script: string;
  /** Names of the scripts that it imports at once: a browser that is told fetches all of them at the same time. */
  readonly imported: readonly string[];
  readonly style: string;
}

interface BundleFile {
  readonly media: string;
  readonly asset: Asset;
}

const FOLDER = join(import.meta.dirname, '../../dashboards/web');
const CHARTS_GEOMETRY = join(FOLDER, 'charts/no-projection.ts');
/** Files of boundaries that the maps load: pages import them as `boundaries/…`, and get their addresses. */
const BOUNDARIES = join(import.meta.dirname, '../../data/reference/boundaries');

/** Projections would be a tenth of the first view, and no chart has one; maps import d3-geo themselves. */
const WITHOUT_PROJECTIONS: Plugin = {
  name: 'without-projections',
  setup({ onResolve }) {
    onResolve({ filter: /^d3-geo$|\/projection\.js$/ }, ({ importer }) =>
      /\/node_modules\/(d3|@observablehq\/plot)\//.test(importer) ? { path: CHARTS_GEOMETRY } : undefined,
    );
  },
};

const MEDIA: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', json: 'application/json' };

let made: Promise<Bundle> | undefined;

/**
 * Bundles the pages, once in the life of a process, however many ask. It takes a third of a second, in a process of its own.
 * After a failure the next one who asks begins anew.
 * @throws Error when the sources cannot be bundled
 */
export function pageBundle(): Promise<Bundle> {
  made ??= makeBundle().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

/** Bundling takes a third of a second of a core, which the first requests after a start need themselves. */
const BUNDLE_AFTER_MILLISECONDS = 1500;

/** Bundles the pages after the start, so that visitors do not wait for it. The interface answers without them, too. */
export function bundleSoon(log: Logger): void {
  setTimeout(() => {
    pageBundle().catch((error) => log.error({ err: error }, 'the pages under /app could not be bundled'));
  }, BUNDLE_AFTER_MILLISECONDS).unref();
}

async function makeBundle(): Promise<Bundle> {
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: FOLDER,
      entryPoints: { app: 'main.tsx', style: 'style/main.css' },
      bundle: true,
      splitting: true,
      alias: { boundaries: BOUNDARIES },
      plugins: [WITHOUT_PROJECTIONS],
      loader: { '.json': 'file' },
      format: 'esm',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      legalComments: 'eof',
      entryNames: '[name].[hash]',
      chunkNames: '[name].[hash]',
      assetNames: '[name].[hash]',
      outdir: '/',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const outputs = Object.entries(metafile.outputs).map(([path, output]) => ({ name: basename(path), output }));
    const entryOf = (source: string) => {
      const found = outputs.find(({ output }) => output.entryPoint === source);
      if (found === undefined) throw new Error(`The bundle of the pages has no ${source}`);
      return found;
    };
    const script = entryOf('main.tsx');
    return {
      files: new Map(outputFiles.map(fileOf)),
      script: script.name,
      imported: script.output.imports
        .filter(({ kind }) => kind === 'import-statement')
        .map(({ path }) => basename(path)),
      style: entryOf('style/main.css').name,
    };
  } finally {
    // Otherwise the bundler would stay, as a process that waits for more.
    await stop();
  }
}

const fileOf = ({ path, contents }: OutputFile): [string, BundleFile] => {
  const name = basename(path);
  const media = MEDIA[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return [name, { media, asset: new Asset(Buffer.from(contents)) }];
};
