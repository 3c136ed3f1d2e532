import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../runtime/settings.ts';
import { ROOT } from '../docs/folders.ts';

/** compose.yaml has what the Compose specification asks for, and what operators expect of each service. */

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
  readonly profiles?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: string; readonly disable?: boolean };
  readonly init?: boolean;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly deploy?: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } };
}

const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
const file = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, unknown>>;
};
const services = Object.entries(file.services);

/** Members of a service in the Compose specification, as far as they are used here. */
const MEMBERS = new Set([
  ...['build', 'cap_drop', 'command', 'configs', 'depends_on', 'deploy', 'environment', 'healthcheck', 'image', 'init'],
  ...['logging', 'networks', 'ports', 'profiles', 'restart', 'security_opt', 'stop_grace_period', 'ulimits', 'volumes'],
]);

/** A text as Compose fills it in from an .env that has nothing but secrets. */
const filledIn = (text: string): string =>
  text
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{\w+:\?\}/g, '0123456789abcdef0123456789abcdef0123456789abcdef');

const inProfile = (name: string): string[] =>
  services.flatMap(([service, { profiles }]) => (profiles?.includes(name) ? [service] : []));

describe.each(services)('%s', (_, service) => {
  test('has members that the specification knows, none of which passes .env on as it is', () => {
    expect(Object.keys(service).filter((name) => !MEMBERS.has(name))).toEqual([]);
  });

  test('has an image of one release', () => {
    expect(service.image).toMatch(/^[a-z./-]+:(v?\d|\$\{RELEASE:-)/);
  });

  test('is limited in processors and memory, and its log in size', () => {
    expect(service.deploy?.resources.limits).toEqual({
      cpus: expect.stringMatching(/^\d+(\.\d+)?$/),
      memory: expect.stringMatching(/^\d+[mg]$/),
    });
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  test('is started again, and begins with an init process', () => {
    expect([service.restart, service.init]).toEqual(['unless-stopped', true]);
  });

  test('is reached from this machine only', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test('names volumes, files, configs and services that exist', () => {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = filledIn(volume).split(':');
      if (source.startsWith('.')) expect(existsSync(join(ROOT, source)), source).toBe(true);
      else if (!source.startsWith('/')) expect(file.volumes).toHaveProperty(source);
    }
    for (const { source } of service.configs ?? []) expect(file.configs).toHaveProperty(source);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      expect(file.services[other]?.healthcheck?.test).toBeDefined();
    }
  });
});

test('only those get a secret who need it', () => {
  const secretsOf = ({ environment = {} }: ComposeService) =>
    Object.values(environment).flatMap((value) =>
      [...String(value).matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name),
    );
  expect(Object.fromEntries(services.map(([name, service]) => [name, secretsOf(service)]))).toEqual({
    service: ['READER_PASSWORD', 'POSTGRES_PASSWORD', 'SIGNING_KEY'],
    nightly: ['LOADER_PASSWORD'],
    clickhouse: ['ADMIN_PASSWORD', 'LOADER_PASSWORD', 'READER_PASSWORD', 'BOARD_PASSWORD'],
    'clickhouse-2': ['ADMIN_PASSWORD', 'LOADER_PASSWORD', 'READER_PASSWORD', 'BOARD_PASSWORD'],
    'clickhouse-3': ['ADMIN_PASSWORD', 'LOADER_PASSWORD', 'READER_PASSWORD', 'BOARD_PASSWORD'],
    'keeper-1': [],
    'keeper-2': [],
    'keeper-3': [],
    postgres: ['ADMIN_PASSWORD', 'POSTGRES_PASSWORD'],
    prometheus: [],
    'node-exporter': [],
    grafana: ['GRAFANA_PASSWORD', 'BOARD_PASSWORD'],
  });
});

test('.env is not committed', () => {
  expect(readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')).toContain('.env');
});

describe('service and nightly job', () => {
  const { service, nightly } = file.services;
  const settingsOf = ({ environment = {} }: ComposeService) =>
    readSettings(
      Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(String(value))])),
    );

  test('are of one image, so that an upgrade replaces both', () => {
    expect(nightly!.image).toBe(service!.image);
    expect([service!.build, nightly!.build]).toEqual(['.', '.']);
  });

  test('share STATE_DIR, in which the metrics find the nights', () => {
    expect(service!.volumes).toEqual(['state:/state']);
    expect(nightly!.volumes).toEqual(['state:/state']);
  });

  test('have settings that are valid, with a public address and metrics', () => {
    const settings = settingsOf(service!);
    expect(settings).toMatchObject({ BASE_URL: 'http://127.0.0.1:8080', METRICS_PORT: 9464, DEMO: 'off' });
    expect(settingsOf(nightly!).WAREHOUSE_URL).toContain('energy_loader');
  });

  test('get longer to stop than running requests may take', () => {
    expect(Number.parseInt(service!.stop_grace_period!, 10)).toBeGreaterThan(readSettings({}).SHUTDOWN_SECONDS);
  });
});

describe('the profile cluster', () => {
  const REPLICAS = ['clickhouse', 'clickhouse-2', 'clickhouse-3'];
  const KEEPERS = ['keeper-1', 'keeper-2', 'keeper-3'];
  const configuration = (name: string) =>
    new XMLParser().parse(readFileSync(join(ROOT, 'sql/warehouse/clickhouse', name), 'utf8')).clickhouse;
  /** A service has this mounted in place of a file, with the values of .env that docs/operations.md names. */
  const mountedAt = (service: string, file: string) =>
    volumesOf(service)
      .map((volume) => volume.replace(/\$\{CLICKHOUSE_CONFIG:-\S+?\}/, 'cluster').split(':'))
      .flatMap(([source, target]) => (target === file ? [source] : []));
  const volumesOf = (service: string) => file.services[service]!.volumes ?? [];

  test('adds two replicas to the one server, and three Keepers', () => {
    expect(inProfile('cluster')).toEqual([...REPLICAS.slice(1), ...KEEPERS]);
  });

  test('gives every replica the configuration of the cluster, in which it stands under its own name', () => {
    const { shard } = configuration('cluster.xml').remote_servers.energy;
    expect(shard.internal_replication).toBe(true);
    expect(shard.replica.map(({ host }: { host: string }) => host)).toEqual(
      REPLICAS.map((name) => file.services[name]!.environment!.REPLICA),
    );
    for (const name of REPLICAS) {
      const { environment, networks } = file.services[name]!;
      expect([name, ...networks!.default.aliases]).toContain(environment!.REPLICA);
      // The service and the nightly job ask whichever of them is up.
      expect([name, ...networks!.default.aliases]).toContain('clickhouse');
      expect(mountedAt(name, '/etc/clickhouse-server/config.d/energy.xml')).toEqual([
        './sql/warehouse/clickhouse/cluster.xml',
      ]);
    }
  });

  test('has Keepers that know each other, and replicas that know them', () => {
    const { server_id: _, raft_configuration, tcp_port } = configuration('keeper.xml').keeper_server;
    const members = raft_configuration.server.map(({ id, hostname }: { id: number; hostname: string }) => [
      hostname,
      String(id),
    ]);
    expect(members).toEqual(KEEPERS.map((name) => [name, file.services[name]!.environment!.KEEPER_ID]));
    expect(configuration('cluster.xml').zookeeper.node).toEqual(KEEPERS.map((host) => ({ host, port: tcp_port })));
    for (const name of KEEPERS)
      expect(mountedAt(name, '/etc/clickhouse-keeper/keeper_config.xml')).toEqual([
        './sql/warehouse/clickhouse/keeper.xml',
      ]);
  });

  test('has on every server a time after which its logs are removed', () => {
    const logs: [name: string, log: { ttl: string }][] = Object.entries(configuration('logs.xml'));
    expect(logs.map(([name]) => name)).toEqual(
      expect.arrayContaining(['query_log', 'part_log', 'metric_log', 'text_log']),
    );
    for (const [, log] of logs) expect(log).toEqual({ ttl: 'event_date + INTERVAL 30 DAY DELETE' });
    for (const name of REPLICAS) {
      expect(mountedAt(name, '/etc/clickhouse-server/config.d/logs.xml')).toEqual([
        './sql/warehouse/clickhouse/logs.xml',
      ]);
    }
  });

  test('is not there by default: one server without a cluster, and a nightly job that knows none', () => {
    expect(configuration('one-server.xml')).toBe('');
    expect(filledIn(String(file.services.nightly!.environment!.CLICKHOUSE_CLUSTER))).toBe('');
  });
});

describe('the profile monitoring', () => {
  const provisioned = (name: string) => parse(readFileSync(join(ROOT, 'dashboards', name), 'utf8'));

  test('has Prometheus, Grafana and the exporter of the machine, which start on request only', () => {
    expect(inProfile('monitoring')).toEqual(['prometheus', 'node-exporter', 'grafana']);
  });

  test('reads the metrics of the service under the job that the alerts name, and the alerts', () => {
    const { rule_files, scrape_configs } = provisioned('prometheus/prometheus.yaml');
    const { METRICS_PORT } = file.services.service!.environment!;
    expect(scrape_configs).toContainEqual({
      job_name: 'energy',
      static_configs: [{ targets: [`service:${METRICS_PORT}`] }],
    });
    const mounted = file.services.prometheus!.volumes!.map((volume) => volume.split(':').slice(0, 2));
    expect(mounted).toContainEqual(['./dashboards/prometheus/alerts.yaml', `/etc/prometheus/${rule_files[0]}`]);
  });

  test('gives Grafana the boards', () => {
    const mounted = file.services.grafana!.volumes!.map((volume) => volume.split(':').slice(0, 2));
    const { options } = provisioned('grafana/provisioning/boards.yaml').providers[0];
    expect(mounted).toContainEqual(['./dashboards/grafana/boards', options.path]);
    const home = String(file.services.grafana!.environment!.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH);
    expect(existsSync(join(ROOT, home.replace(options.path, 'dashboards/grafana/boards')))).toBe(true);
  });

  test('gives Grafana its sources: the metrics, and the tables as a user who reads them only', () => {
    const { datasources } = provisioned('grafana/provisioning/sources.yaml');
    const [metrics, tables] = datasources;
    expect(metrics).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true });
    const scraped = provisioned('prometheus/prometheus.yaml').global.scrape_interval;
    expect(metrics.jsonData.timeInterval).toBe(scraped);
    expect(tables).toMatchObject({
      type: 'grafana-clickhouse-datasource',
      jsonData: { host: 'clickhouse', port: 8123, protocol: 'http', username: 'energy_board' },
      secureJsonData: { password: '$BOARD_PASSWORD' },
    });
    expect(file.services).toHaveProperty(tables.jsonData.host);
    const users = readFileSync(join(ROOT, 'sql/warehouse/clickhouse/users.sql'), 'utf8');
    const [, most] =
      /PROFILE IF NOT EXISTS energy_board SETTINGS[^;]*max_execution_time = \d+ (?:MIN \d+ )?MAX (\d+)/.exec(users)!;
    // The client of the plugin asks the server for five seconds more than it waits itself.
    expect(Number(tables.jsonData.queryTimeout) + 5).toBeLessThanOrEqual(Number(most));
    const plugin = String(file.services.grafana!.environment!.GF_PLUGINS_PREINSTALL);
    expect(plugin).toMatch(/^grafana-clickhouse-datasource@\d+\.\d+\.\d+$/);
  });
});
