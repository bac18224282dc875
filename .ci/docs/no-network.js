// Preloaded into a build (`node --import`) to show that it needs no network: every connection fails, except to this machine.
import dns from 'node:dns';
import net from 'node:net';

const LOCAL = /^(localhost|127\.|::1$)/;

/** @param {string} host */
function refuse(host) {
  throw new Error(`the build must not use the network, but connects to ${host}`);
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const { path, host = 'localhost' } = typeof options === 'object' ? options : { host: args[1] };
  if (!path && typeof host === 'string' && !LOCAL.test(host)) refuse(host);
  return connect.apply(this, args);
};

const { lookup } = dns;
dns.lookup = (host, ...rest) => (LOCAL.test(host) ? lookup(host, ...rest) : refuse(host));
