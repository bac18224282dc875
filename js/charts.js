// linex/charts: importing this module registers the elements that draw charts, such as <linex-waterfall>.
//
// They are not part of linex/elements, because most pages need no charts, and charts take as much code as all else there.
import {
  LinexComparison,
  LinexDependence,
  LinexImportance,
  LinexRecourse,
  LinexSteadiness,
  LinexSummary,
  LinexTargets,
  LinexWaterfall,
} from './elements/element-charts.js';
import { register } from './elements/register.js';

export {
  LinexComparison,
  LinexDependence,
  LinexImportance,
  LinexRecourse,
  LinexSteadiness,
  LinexSummary,
  LinexTargets,
  LinexWaterfall,
};

register({
  'linex-waterfall': LinexWaterfall,
  'linex-summary': LinexSummary,
  'linex-importance': LinexImportance,
  'linex-dependence': LinexDependence,
  'linex-comparison': LinexComparison,
  'linex-steadiness': LinexSteadiness,
  'linex-targets': LinexTargets,
  'linex-recourse': LinexRecourse,
});
