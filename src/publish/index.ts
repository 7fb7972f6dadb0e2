/** What goes out, apart from how it is asked for: the public face of this stage. */

export { MAX_FORM_BYTES } from './oai/form-body.ts';
export * from './oai/index.ts';
export type { ItemForm } from './oai/item-form.ts';
export { type AnswerElement, type AnswerRecord, type OaiAnswer, readAnswer } from './oai/read-answer.ts';
export { describeSet, listAllSets } from './oai/sets.ts';
export { createStoreBackend } from './oai/store-backend.ts';
