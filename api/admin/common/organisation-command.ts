import type { InputOf, Parameters } from '../../../runtime/command-line/parameter.ts';
import type { Settings } from '../../../runtime/settings.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { StoreStatement } from '../../../sql/org/statement.ts';
import type { Session } from '../../../sql/org/store.ts';
import { type AdminCommand, adminCommand } from './admin-command.ts';
import { findOrganisation, lockOrganisation, organisationArgument } from './find-organisation.ts';
import { withoutStatementTimeout } from './statement-timeout.ts';

/** The organisation that was named, in one transaction of the operator. */
export interface Asked {
  readonly session: Session;
  readonly organisation: OrganisationRow;
  readonly settings: Settings;
}

type OrganisationCommand<P extends Parameters, Result> = Omit<AdminCommand<P, Result>, 'run' | 'parameters'> & {
  /** Those behind the organisation. */
  readonly parameters?: P;
  /** The statement that locks the organisation, where the command changes it or its lists. */
  readonly locks?: (reference: string) => StoreStatement;
  /** True where it reads or writes so much that statements may take long. */
  readonly takesLong?: true;
  /** @throws CommandFailed */
  run(asked: Asked, input: InputOf<P>): Promise<Result>;
};

/** Declares a command about one organisation, which is its first argument; the work is one transaction. */
export function organisationCommand<P extends Parameters, Result>(value: OrganisationCommand<P, Result>): AdminCommand {
  const { parameters, locks, takesLong, run, ...rest } = value;
  const command = adminCommand<Parameters, Result>({
    ...rest,
    parameters: { organisation: organisationArgument, ...parameters },
    run: (store, { organisation: named, ...input }, { settings }) =>
      store.asOperator(async (session) => {
        if (takesLong) await withoutStatementTimeout(session);
        const reference = String(named);
        const organisation = await (locks === undefined
          ? findOrganisation(session, reference)
          : lockOrganisation(session, reference, locks));
        return run({ session, organisation, settings }, input as InputOf<P>);
      }),
  });
  return command as AdminCommand;
}

/** The log line of a command has these members of its result, unless it changed nothing. */
export const logged =
  <Name extends string>(...names: readonly Name[]) =>
  (result: { readonly [Each in Name]: unknown } & { readonly changed?: boolean }): object | null =>
    result.changed === false ? null : Object.fromEntries(names.map((name) => [name, result[name]]));
