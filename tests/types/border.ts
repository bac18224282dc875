// Mix-ups at the border between JavaScript and C that the type checker must refuse.
import { GAME_REPORT, TABLE } from '../../js/core/border.js';
import type { Core, Doubles, Indices } from '../../js/core/border.js';
import { Scope } from '../../js/core/memory.js';

export function mixUps(core: Core, doubles: Doubles, indices: Indices): void {
  const scope = new Scope(core);
  scope.putRecord(TABLE, { columns: 2, levels: indices, statistics: doubles, frequencies: doubles });
  // @ts-expect-error: statistics are doubles, not indices
  scope.putRecord(TABLE, { columns: 2, levels: indices, statistics: indices, frequencies: doubles });
  // @ts-expect-error: a field is missing
  scope.putRecord(TABLE, { columns: 2, levels: indices, statistics: doubles });
  // @ts-expect-error: doubles are not indices
  core.linex_wasm_order_draw(3, 1, doubles);
  // @ts-expect-error: an argument is missing
  core.linex_wasm_order_draw(3, indices);
  const { residual } = scope.readRecord(GAME_REPORT, doubles);
  // @ts-expect-error: a report has no such number
  const { risidual } = scope.readRecord(GAME_REPORT, doubles);
  void [residual, risidual];
}
