import { z } from 'zod';
import { argument, choice, fileOption, option } from '../../../runtime/command-line/parameter.ts';
import { ALERT_TEMPLATE_NAMES } from '../../../sql/org/rights.ts';
import { GRANTS, namesOf } from '../common/schemas.ts';

/** Parameters that several commands of alerts have. */

export const alertArgument = argument('its name or its UUID', z.string().min(1, 'must not be empty'));

export const alertTemplate = () => z.enum(ALERT_TEMPLATE_NAMES, `must be one of ${ALERT_TEMPLATE_NAMES.join(', ')}`);

const templateOption = choice(
  option('<template>', 'what it tells of', alertTemplate().optional()),
  ALERT_TEMPLATE_NAMES,
);

/** The options that say what an alert asks. */
export const ruleOptions = {
  template: templateOption,
  signals: option(
    '<ids>',
    `the signals that a SIGNAL_CHANGE watches: any of ${GRANTS.signals.join(', ')}, comma-separated; or all`,
    namesOf(GRANTS.signals).optional(),
  ),
  criteria: fileOption(
    'unit filters as POST /v1/units/search takes them, in a JSON file; - reads standard input; {} is every unit',
  ),
  filter: option(
    '<filter>',
    'the name or UUID of a saved filter instead, with the criteria that it has when the alert is evaluated',
    z.string().min(1, 'must not be empty').optional(),
  ),
};
