// Draws the graph of a vault with WebGL, so that a frame costs the page the same for
// a hundred notes as for ten thousand: places are sent to the graphics card when
// they change, and panning sends three numbers. Labels are drawn above it, only
// where there is room. Used by graph.tsx.

export interface Camera {
  /** The place in the middle, and pixels for each unit. */
  x: number;
  y: number;
  scale: number;
}

export interface Colours {
  readonly link: readonly [number, number, number];
  readonly text: string;
  readonly halo: string;
  /** One for each folder, repeated. */
  readonly notes: readonly (readonly [number, number, number])[];
}

export interface Scene {
  readonly places: Float32Array;
  /** From, to, from, to … */
  readonly links: readonly number[];
  /** In pixels at a scale of 1. */
  readonly sizes: Float32Array;
  readonly colourOf: Uint8Array;
}

export interface Drawn {
  /** Sends what has changed. */
  readonly update: (scene: Scene, colours: Colours) => void;
  /** @param near the notes that are not dimmed; undefined for all */
  readonly draw: (camera: Camera, near: ReadonlySet<number> | undefined) => void;
}

const NOTES = {
  vertex: `attribute vec2 place; attribute float size; attribute vec3 colour; attribute float light;
    uniform vec3 camera; uniform vec2 window; varying vec4 shown;
    void main() {
      gl_Position = vec4((place - camera.xy) * camera.z / window * vec2(2.0, -2.0), 0.0, 1.0);
      gl_PointSize = size * clamp(sqrt(camera.z), 0.45, 2.2);
      shown = vec4(colour, light);
    }`,
  fragment: `precision mediump float; varying vec4 shown;
    void main() {
      float edge = 1.0 - smoothstep(0.42, 0.5, distance(gl_PointCoord, vec2(0.5)));
      gl_FragColor = vec4(shown.rgb, 1.0) * edge * shown.a;
    }`,
};
const LINKS = {
  vertex: `attribute vec2 place; attribute float light; uniform vec3 camera; uniform vec2 window; varying float shown;
    void main() {
      gl_Position = vec4((place - camera.xy) * camera.z / window * vec2(2.0, -2.0), 0.0, 1.0);
      shown = light;
    }`,
  fragment: `precision mediump float; uniform vec3 colour; varying float shown;
    void main() { gl_FragColor = vec4(colour, 1.0) * shown; }`,
};
const DIMMED = 0.12;
const LINK_LIGHT = 0.22;

/** @returns undefined if the browser has no WebGL */
export function openDrawing(canvas: HTMLCanvasElement): Drawn | undefined {
  const gl = canvas.getContext("webgl", { antialias: true, premultipliedAlpha: true });
  if (gl === null) return undefined;
  const notes = programOf(gl, NOTES);
  const lines = programOf(gl, LINKS);
  const buffers = new Map<string, WebGLBuffer>();
  let scene: Scene | undefined;
  let colours: Colours | undefined;
  let lightsOf: ReadonlySet<number> | undefined | null = null;
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  const send = (name: string, data: Float32Array) => {
    const buffer = buffers.get(name) ?? gl.createBuffer();
    buffers.set(name, buffer);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  };
  const attribute = (program: WebGLProgram, name: string, from: string, size: number) => {
    const at = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.get(from)!);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
  };
  const look = (program: WebGLProgram, { x, y, scale }: Camera) => {
    gl.useProgram(program);
    const ratio = devicePixelRatio;
    gl.uniform3f(gl.getUniformLocation(program, "camera"), x, y, scale * ratio);
    gl.uniform2f(gl.getUniformLocation(program, "window"), canvas.width, canvas.height);
  };
  const sendLights = (near: ReadonlySet<number> | undefined) => {
    if (near === lightsOf || scene === undefined) return;
    lightsOf = near;
    const lit = (at: number) => near === undefined || near.has(at);
    send(
      "note light",
      Float32Array.from(scene.sizes, (_, at) => (lit(at) ? 1 : DIMMED)),
    );
    const { links } = scene;
    const bright = near === undefined ? LINK_LIGHT : 0.75;
    send(
      "link light",
      Float32Array.from(links, (_, i) => (lit(links[i]!) && lit(links[i ^ 1]!) ? bright : LINK_LIGHT * DIMMED)),
    );
  };

  return {
    update: (next, nextColours) => {
      if (scene?.sizes !== next.sizes || colours !== nextColours) {
        send(
          "size",
          next.sizes.map((size) => size * devicePixelRatio),
        );
        const all = new Float32Array(3 * next.sizes.length);
        for (let at = 0; at < next.sizes.length; at++) all.set(nextColours.notes[next.colourOf[at]!]!, 3 * at);
        send("colour", all);
        lightsOf = null;
      }
      scene = next;
      colours = nextColours;
      send("place", next.places);
      const ends = new Float32Array(2 * next.links.length);
      for (const [i, at] of next.links.entries()) {
        ends[2 * i] = next.places[2 * at]!;
        ends[2 * i + 1] = next.places[2 * at + 1]!;
      }
      send("ends", ends);
    },
    draw: (camera, near) => {
      if (scene === undefined || colours === undefined) return;
      sendLights(near);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      look(lines, camera);
      gl.uniform3fv(gl.getUniformLocation(lines, "colour"), colours.link);
      attribute(lines, "place", "ends", 2);
      attribute(lines, "light", "link light", 1);
      gl.drawArrays(gl.LINES, 0, scene.links.length);
      look(notes, camera);
      attribute(notes, "place", "place", 2);
      attribute(notes, "size", "size", 1);
      attribute(notes, "colour", "colour", 3);
      attribute(notes, "light", "note light", 1);
      gl.drawArrays(gl.POINTS, 0, scene.sizes.length);
    },
  };
}

function programOf(
  gl: WebGLRenderingContext,
  { vertex, fragment }: { readonly vertex: string; readonly fragment: string },
): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

interface Label {
  readonly at: number;
  readonly text: string;
}

/** In pixels: what a label needs for itself. */
const LINE = 16;
const MAX_LABELS = 70;
const MAX_LENGTH = 28;

/** Draws the names of the first labels that have room, in their order. */
export function drawLabels(
  canvas: HTMLCanvasElement,
  { places, sizes }: Scene,
  { text: ink, halo }: Colours,
  { x, y, scale }: Camera,
  labels: Iterable<Label>,
): void {
  const context = canvas.getContext("2d")!;
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  context.clearRect(0, 0, width, height);
  context.font = '500 12px "Inter", sans-serif';
  context.textAlign = "center";
  context.lineWidth = 3.5;
  context.lineJoin = "round";
  context.strokeStyle = halo;
  context.fillStyle = ink;
  const taken = new Set<number>();
  let drawn = 0;
  for (const { at, text } of labels) {
    if (drawn === MAX_LABELS) break;
    const [left, top] = [(places[2 * at]! - x) * scale + width / 2, (places[2 * at + 1]! - y) * scale + height / 2];
    if (left < -40 || left > width + 40 || top < -20 || top > height + 20) continue;
    const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
    const baseline = top + (sizes[at]! / 2) * Math.min(2.2, Math.max(0.45, Math.sqrt(scale))) + 13;
    // Characters are about half as wide as high: close enough to keep names apart.
    const half = (shown.length * 6.6) / 2 + 6;
    const cells: number[] = [];
    for (let cell = Math.floor((left - half) / 24); cell <= Math.floor((left + half) / 24); cell++)
      cells.push(cell * 4096 + Math.floor(baseline / LINE));
    if (cells.some((cell) => taken.has(cell) || taken.has(cell + 1) || taken.has(cell - 1))) continue;
    for (const cell of cells) taken.add(cell);
    context.strokeText(shown, left, baseline);
    context.fillText(shown, left, baseline);
    drawn++;
  }
}
