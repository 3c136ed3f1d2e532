import { z } from 'zod';
import { LIMITED_CLASSES, type LimitedClass } from '../../sql/org/callers.ts';
import type { Module, Scope } from '../../sql/org/rights.ts';
import type { KeyOperation, Operation, PublicOperation } from './operation.ts';

/** Some of the operations, by what they declare. */
export interface OperationKind<Of extends Operation, Narrow extends Of> {
  /** Completes "operations …". */
  readonly name: string;
  readonly includes: (operation: Of) => operation is Narrow;
}

export const isPublic = (operation: Operation): operation is PublicOperation => operation.access === 'public';

export type LimitedOperation = KeyOperation & { readonly cost: LimitedClass };

/** Returns true when calls count against the window of their cost class. */
export const isLimited = (operation: Operation): operation is LimitedOperation =>
  !isPublic(operation) && LIMITED_CLASSES.some((name) => name === operation.cost);

export type AssetOperation = PublicOperation & { readonly source: 'release' };

/** Operations whose answer is a file, the same for everybody. */
export const ASSETS: OperationKind<PublicOperation, AssetOperation> = {
  name: 'that answer with an asset',
  includes: (operation): operation is AssetOperation => operation.source === 'release',
};

type PublicServiceOperation = PublicOperation & { readonly source: 'service' };

export const PUBLIC_WITHOUT_TAG: OperationKind<PublicOperation, PublicServiceOperation> = {
  name: 'over the state of the service',
  includes: (operation): operation is PublicServiceOperation => operation.source === 'service',
};

type OlderOperation = KeyOperation & { readonly older: true };

export const OLDER: OperationKind<KeyOperation, OlderOperation> = {
  name: 'of the older variant',
  includes: (operation): operation is OlderOperation => operation.older === true,
};

type ApiOperation = KeyOperation & { readonly access: 'api' };

export const OF_MODULE_API: OperationKind<KeyOperation, ApiOperation> = {
  name: 'with access `api`',
  includes: (operation): operation is ApiOperation => operation.access === 'api',
};

export type ScopedOperation = KeyOperation & { readonly scope: Scope };

export const SCOPED: OperationKind<KeyOperation, ScopedOperation> = {
  name: 'with a scope',
  includes: (operation): operation is ScopedOperation => operation.scope !== null,
};

export type ModuleOperation = KeyOperation & { readonly module: Module };

export const OF_A_MODULE: OperationKind<KeyOperation, ModuleOperation> = {
  name: 'with a module',
  includes: (operation): operation is ModuleOperation => operation.module !== null,
};

export const LIMITED: OperationKind<KeyOperation, LimitedOperation> = {
  name: 'with a limited cost class',
  includes: isLimited,
};

type CountedOperation = LimitedOperation | (KeyOperation & { readonly metered?: undefined });

/** Operations whose calls count against a window, the month's quota, or both. */
export const COUNTED: OperationKind<KeyOperation, CountedOperation> = {
  name: 'with a limited cost class, or metered',
  includes: (operation): operation is CountedOperation => isLimited(operation) || operation.metered !== false,
};

export type RegisterListOperation = KeyOperation & { readonly source: 'register' };

const takesCursor = (schema: z.ZodType | undefined): boolean =>
  schema instanceof z.ZodObject && 'cursor' in schema.shape;

/** Lists that are read page by page, perhaps from several versions. */
export const REGISTER_LISTS: OperationKind<KeyOperation, RegisterListOperation> = {
  name: 'that list what is in the register',
  includes: (operation): operation is RegisterListOperation =>
    operation.source === 'register' && (takesCursor(operation.query) || takesCursor(operation.body)),
};

export type TaggedOperation = KeyOperation & { readonly source: 'register' | 'release' };

export const TAGGED: OperationKind<KeyOperation, TaggedOperation> = {
  name: 'over the register or the release',
  includes: (operation): operation is TaggedOperation =>
    operation.source === 'register' || operation.source === 'release',
};

type ServiceOperation = KeyOperation & { readonly source: 'service' };

export const WITHOUT_TAG: OperationKind<KeyOperation, ServiceOperation> = {
  name: 'over records of the service',
  includes: (operation): operation is ServiceOperation => operation.source === 'service',
};

export type ReusableOperation = KeyOperation & { readonly reusable: NonNullable<KeyOperation['reusable']> };

export const REUSABLE: OperationKind<KeyOperation, ReusableOperation> = {
  name: 'with reusable answers',
  includes: (operation): operation is ReusableOperation => operation.reusable !== undefined,
};

type ReplayableOperation = KeyOperation & { readonly replayable: true };

export const REPLAYABLE: OperationKind<KeyOperation, ReplayableOperation> = {
  name: 'that are replayable',
  includes: (operation): operation is ReplayableOperation => operation.replayable === true,
};
