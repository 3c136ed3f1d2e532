import { ROLES, type Role, roleName } from './roles.ts';

/** The choice of a role of the organisation to a unit. */
export function RoleChoice({
  label,
  value,
  disabled = false,
  onChange,
}: {
  label: string;
  value: Role;
  disabled?: boolean;
  onChange: (role: Role) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value as Role)}>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {roleName(role)}
          </option>
        ))}
      </select>
    </label>
  );
}
