// What both protocols need to read answers of which nothing is certain.

export type Unsure = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Unsure {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectsIn(value: unknown): Unsure[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function countIn(value: unknown, name: string): number {
  const count = isObject(value) ? value[name] : undefined;
  return typeof count === "number" ? count : 0;
}
