// Installs missing npm packages and tools; if that is not possible, it prints how to install them and exits.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = new URL('..', import.meta.url);

/**
 * The tools. A tool is present if one of its commands is found, or if `find` finds it; `apt` lists its possible package
 * names.
 */
const TOOLS = {
  cc: { commands: ['cc'], apt: ['build-essential'] },
  make: { commands: ['make'], apt: ['make'] },
  cmake: { commands: ['cmake'], apt: ['cmake'], brew: 'cmake' },
  'pkg-config': { commands: ['pkg-config'], apt: ['pkg-config', 'pkgconf'], brew: 'pkgconf' },
  emcc: { commands: ['emcc'], apt: ['emscripten'], brew: 'emscripten' },
  // For npm run attack.
  clang: { commands: ['clang-14', 'clang'], apt: ['clang-14', 'clang'], brew: 'llvm' },
  libfuzzer: { find: findLibFuzzer, apt: ['libclang-rt-14-dev', 'libclang-rt-dev'] },
  // For the tests of the fleet; they are skipped without it.
  redis: { commands: ['redis-server'], apt: ['redis-server'], brew: 'redis', optional: true },
  // Ubuntu's package has another name and is a snap. If it cannot be installed, the browser tests are skipped.
  chromium: {
    commands: ['chromium', 'chromium-browser', 'google-chrome'],
    apt: ['chromium', 'chromium-browser'],
    brew: '--cask chromium',
    optional: true,
  },
  // The other two engines are optional too. WebKit is the GTK build with its driver; it needs a display, such as Xvfb.
  firefox: {
    commands: ['firefox-esr', 'firefox'],
    apt: ['firefox-esr', 'firefox'],
    brew: '--cask firefox',
    optional: true,
  },
  webkit: { commands: ['WebKitWebDriver'], apt: ['webkit2gtk-driver'], optional: true },
  xvfb: { commands: ['Xvfb'], apt: ['xvfb'], optional: true },
};

/** Lists the files of a folder and its subfolders, as sorted paths from the root. @param {string} folder */
export function filesIn(folder) {
  return readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(fileURLToPath(root), join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** Returns the path of a command, or undefined. */
export function which(command) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

/** Returns the path of the first command that provides a tool, or undefined. */
export function findTool(name) {
  if (TOOLS[name].find) return TOOLS[name].find();
  for (const command of TOOLS[name].commands) {
    const path = which(command);
    if (path) return path;
  }
  return undefined;
}

/** Returns the path of the libFuzzer library that clang links, or undefined. */
function findLibFuzzer() {
  const clang = findTool('clang');
  if (!clang) return undefined;
  const { stdout } = spawnSync(clang, ['--print-runtime-dir'], { encoding: 'utf8' });
  const folder = stdout?.trim();
  const file = existsSync(folder)
    ? readdirSync(folder).find((name) => /^libclang_rt\.fuzzer[-_.]/.test(name))
    : undefined;
  return file && join(folder, file);
}

/** Runs a command in the project's folder and shows its output; exits if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Installs the npm packages of the lock file, unless they are up to date. */
export function ensurePackages() {
  const stamp = new URL('node_modules/.package-lock.json', root);
  const lock = new URL('package-lock.json', root);
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing npm packages …');
  // No package needs its install script, and a script of a stranger must not run.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** Runs a command and shows its output only if it fails. */
export function runQuietly(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (result.error) throw result.error;
  if (result.status === 0) return;
  process.stderr.write(result.stdout + result.stderr);
  process.exit(result.status ?? 1);
}

/**
 * Configures and builds everything, or one target, with CMake. A build folder that was configured for another location is
 * deleted first.
 */
export function cmake(folder, { wrapper = [], flags = [], target = 'all' } = {}) {
  const cache = new URL(`${folder}/CMakeCache.txt`, root);
  const home = fileURLToPath(root).replace(/\/$/, '');
  if (existsSync(cache) && !readFileSync(cache, 'utf8').includes(`CMAKE_HOME_DIRECTORY:INTERNAL=${home}\n`))
    rmSync(new URL(folder, root), { recursive: true });
  const [command, ...args] = [...wrapper, 'cmake', '-S', '.', '-B', folder, ...flags];
  runQuietly(command, args);
  runQuietly('cmake', ['--build', folder, '--target', target, '--parallel', '2']);
}

/** Installs tools, by their names in TOOLS, unless they are present. */
export function ensureTools(names) {
  const missing = names.filter((name) => !findTool(name));
  if (missing.length === 0) return;
  const prefix = rootPrefix();
  if (which('apt-get') && prefix) {
    console.log(`Installing ${missing.join(', ')} with apt; this can take a few minutes …`);
    // Set with env, because sudo does not pass on our environment.
    const env = ['env', 'DEBIAN_FRONTEND=noninteractive'];
    // Another apt may be running, especially on a new machine.
    const [command, ...args] = [...prefix, ...env, 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300'];
    runQuietly(command, [...args, 'update']);
    for (const name of missing) installTool(name, command, args);
  }
  const stillMissing = missing.filter((name) => !findTool(name));
  // CI must not pass because tests were skipped.
  const optional = (name) => TOOLS[name].optional && !process.env.CI;
  for (const name of stillMissing.filter(optional))
    console.log(`${name} is missing: the tests that need it are skipped.`);
  const needed = stillMissing.filter((name) => !optional(name));
  if (needed.length === 0) return;
  console.error(explainMissing(needed));
  process.exit(1);
}

/** Installs a tool under the first name that apt has for it. */
function installTool(name, command, args) {
  const { apt, optional } = TOOLS[name];
  const known = apt.filter(
    (candidate) => spawnSync('apt-cache', ['show', candidate], { stdio: 'ignore' }).status === 0,
  );
  const install = [...args, 'install', '-y', '--no-install-recommends', known[0] ?? apt[0]];
  if (!optional) return runQuietly(command, install);
  const { status, stderr } = spawnSync(command, install, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) console.log(`apt could not install ${name}: ${stderr?.trim().split('\n').pop()}`);
}

/** Returns what to put before a command to run it as root, or undefined if that needs a password. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return sudo.status === 0 ? ['sudo', '-n'] : undefined;
}

/** Returns a message that names the missing tools and how to install them. */
export function explainMissing(names) {
  const apt = names.map((name) => TOOLS[name].apt[0]).join(' ');
  const brew = names.map((name) => TOOLS[name].brew).filter(Boolean);
  const mac = [names.includes('cc') && 'xcode-select --install', ...brew.map((name) => `brew install ${name}`)];
  const lines = [
    `linex needs ${names.join(', ')}, which could not be found or installed (installing needs apt, and root or sudo without a password).`,
    'Run the lines for your system, then repeat the command:',
    '',
    `  Debian, Ubuntu   sudo apt-get update && sudo apt-get install -y ${apt}`,
  ];
  if (mac.some(Boolean)) lines.push(`  macOS            ${mac.filter(Boolean).join(' && ')}`);
  if (names.includes('emcc'))
    lines.push(
      '  emsdk            git clone https://github.com/emscripten-core/emsdk && cd emsdk && ./emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh',
    );
  return lines.join('\n');
}
