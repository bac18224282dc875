// The module of a model for a pool: the ONNX file that the address of this module names in its query.
import { openOnnx } from './onnx-session.js';

const { searchParams } = new URL(import.meta.url);

export const { predict } = await openOnnx(
  String(searchParams.get('path')),
  JSON.parse(searchParams.get('wishes') ?? '{}'),
);
