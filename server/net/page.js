// The plain page: follows /api/v1/events and shows one game. Text of players only ever becomes text nodes.
'use strict';

const words = navigator.language.startsWith('ja') ? {
  live: '中継中', connecting: '接続中…', lost: '切断。再接続します…', none: '対局はまだありません',
  none_how: 'CSA プロトコルで二人が接続すると、ここに映ります。',
  subtitle: '対局中継', agreeing: '開始待ち', byoyomi: '秒読み', increment: '加算', unlimited: '時間無制限', max: '手まで',
  builtin: '内蔵', draw: '引き分け', nobody: '勝敗なし', wins: 'の勝ち', unknown: '盤面不明', start: '開始局面',
} : {
  live: 'live', connecting: 'connecting…', lost: 'connection lost, trying again…', none: 'No game yet',
  none_how: 'A game shows up here as soon as two players meet over the CSA protocol.',
  subtitle: 'live games', agreeing: 'waiting for both players', byoyomi: 's byoyomi', increment: 's a move',
  unlimited: 'no time limit', max: 'moves at most', builtin: 'built-in', draw: 'Draw', nobody: 'No winner',
  wins: ' wins', unknown: 'position unknown', start: 'start position',
};

const KANJI = {
  P: '歩', L: '香', N: '桂', S: '銀', G: '金', B: '角', R: '飛', K: '玉',
  '+P': 'と', '+L': '杏', '+N': '圭', '+S': '全', '+B': '馬', '+R': '龍',
};
const CSA = {
  FU: '歩', KY: '香', KE: '桂', GI: '銀', KI: '金', KA: '角', HI: '飛', OU: '玉',
  TO: 'と', NY: '杏', NK: '圭', NG: '全', UM: '馬', RY: '龍',
};
const RANKS = '一二三四五六七八九';
const HAND_ORDER = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];
const PENTAGON = 'M0,-43 L25,-33 L35,41 L-35,41 L-25,-33 Z';

const games = new Map();  // id -> game, as in the feed
let chosen = null;        // id that the spectator picked; null: the newest running game
let clockSkew = 0;        // our clock minus the server's, in ms

const $ = (id) => document.getElementById(id);

function element(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function svg(name, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// ---- position ----

function parseSfen(sfen) {
  const [rows, turn, hands] = sfen.split(' ');
  const squares = rows.split('/').map((row) => {
    const cells = [];
    for (const [token] of row.matchAll(/\+?[a-zA-Z]|\d/g)) {
      if (/\d/.test(token)) { for (let i = 0; i < Number(token); ++i) cells.push(null); continue; }
      cells.push({ kind: token.toUpperCase(), white: token === token.toLowerCase() });
    }
    return cells;
  });
  const held = { b: {}, w: {} };
  for (const [, count, piece] of hands.matchAll(/(\d*)([a-zA-Z])/g)) {
    held[piece === piece.toLowerCase() ? 'w' : 'b'][piece.toUpperCase()] = Number(count || 1);
  }
  return { squares, turn, held };
}

function drawPiece(board, kind, white, x, y) {
  const group = svg('g', { transform: `translate(${x} ${y})${white ? ' rotate(180)' : ''}` });
  group.append(svg('path', { class: 'koma', d: PENTAGON }));
  const glyph = kind === 'K' && white ? '王' : KANJI[kind];
  group.append(svg('text', { class: kind.startsWith('+') ? 'ji nari' : 'ji', y: 5 }, glyph));
  board.append(group);
}

function drawHand(board, held, white) {
  let row = 0;
  for (const kind of HAND_ORDER) {
    if (!held[kind]) continue;
    const x = white ? -72 : 1000;
    const y = white ? 50 + row * 100 : 850 - row * 100;
    drawPiece(board, kind, white, x, y);
    if (held[kind] > 1) {
      const corner = { class: 'count', x: x + (white ? -42 : 46), y: y + (white ? -30 : 34) };
      board.append(svg('text', corner, held[kind]));
    }
    row += 1;
  }
}

function drawBoard(game) {
  const board = $('board');
  board.replaceChildren(svg('rect', { class: 'wood', x: 0, y: 0, width: 900, height: 900, rx: 4 }));
  if (!game.sfen) {
    board.append(svg('text', { class: 'label', x: 450, y: 450 }, words.unknown));
    return;
  }
  const last = game.moves.at(-1);
  if (last) {
    const file = Number(last[3]), rank = Number(last[4]);
    board.append(svg('rect', { class: 'last', x: (9 - file) * 100, y: (rank - 1) * 100, width: 100, height: 100 }));
  }
  const lines = Array.from({ length: 8 }, (_, i) => `M${(i + 1) * 100},0V900M0,${(i + 1) * 100}H900`).join('');
  board.append(svg('path', { class: 'grid', d: lines }));
  board.append(svg('rect', { class: 'edge', x: 0, y: 0, width: 900, height: 900, rx: 4 }));
  for (const cx of [300, 600]) {
    for (const cy of [300, 600]) board.append(svg('circle', { class: 'star', cx, cy, r: 7 }));
  }
  for (let i = 0; i < 9; ++i) {
    board.append(svg('text', { class: 'label', x: 850 - i * 100, y: -22 }, i + 1));
    board.append(svg('text', { class: 'label', x: 920, y: 50 + i * 100 }, RANKS[i]));
  }
  const position = parseSfen(game.sfen);
  position.squares.forEach((row, y) => row.forEach((piece, x) => {
    if (piece) drawPiece(board, piece.kind, piece.white, x * 100 + 50, y * 100 + 50);
  }));
  drawHand(board, position.held.b, false);
  drawHand(board, position.held.w, true);
}

// ---- words ----

function moveText(move) {  // "+7776FU,T3"
  const side = move[0] === '+' ? '☗' : '☖';
  const to = `${move[3]}${RANKS[Number(move[4]) - 1]}`;
  const from = move.slice(1, 3) === '00' ? '打' : `(${move.slice(1, 3)})`;
  return `${side}${to}${CSA[move.slice(5, 7)] || '?'}${from}`;
}

function minutes(seconds) {
  const sign = seconds < 0 ? '-' : '';
  const whole = Math.abs(Math.trunc(seconds));
  const hours = Math.floor(whole / 3600);
  const minute = String(Math.floor(whole / 60) % 60).padStart(hours ? 2 : 1, '0');
  const text = `${minute}:${String(whole % 60).padStart(2, '0')}`;
  return sign + (hours ? `${hours}:${text}` : text);
}

function timeText(time) {
  if (!time.total_s && !time.byoyomi_s && !time.increment_s) return words.unlimited;
  let text = minutes(time.total_s);
  if (time.byoyomi_s) text += ` + ${time.byoyomi_s}${words.byoyomi}`;
  if (time.increment_s) text += ` + ${time.increment_s}${words.increment}`;
  return text;
}

function resultText(game) {
  const { outcome, reason, kind } = game.end;
  let text = outcome === 'draw' ? words.draw : words.nobody;
  if (outcome === 'black') text = `☗ ${game.black.name}${words.wins}`;
  if (outcome === 'white') text = `☖ ${game.white.name}${words.wins}`;
  return `${text} — ${reason || kind}`;
}

// ---- one game ----

function isTurn(game, side) {
  if (game.state !== 'running' || !game.sfen) return false;
  return game.sfen.split(' ')[1] === (side === 0 ? 'b' : 'w');
}

// What the clock of this side shows now: main time, then byoyomi.
function clockOf(game, side) {
  const { total_s, byoyomi_s, increment_s } = game.time;
  if (!total_s && !byoyomi_s && !increment_s) return { text: '∞', low: false };
  let left = game.remaining_s[side];
  if (isTurn(game, side)) {
    const used_ms = game.paused_ms ?? Date.now() - clockSkew - game.turn_since_ms;
    left -= Math.max(0, used_ms / 1000);
  }
  if (left >= 0 || !byoyomi_s) {
    return { text: minutes(Math.max(0, Math.ceil(left))), low: left < 10 && isTurn(game, side) };
  }
  const within = Math.max(0, Math.ceil(byoyomi_s + left));
  return { text: minutes(0), extra: within, low: within < 10 };
}

function drawClock(game, side) {
  const row = $(side === 0 ? 'black' : 'white');
  const clock = clockOf(game, side);
  const node = row.querySelector('.clock');
  node.replaceChildren(clock.text);
  if (clock.extra !== undefined) node.append(element('small', '', `${clock.extra}`));
  row.classList.toggle('low', clock.low);
}

function drawPlayer(game, side) {
  const row = $(side === 0 ? 'black' : 'white');
  const seat = side === 0 ? game.black : game.white;
  row.replaceChildren(element('span', 'sign', side === 0 ? '☗' : '☖'), element('span', 'name', seat.name));
  if (seat.builtin) row.append(element('span', 'tag', words.builtin));
  row.append(element('span', 'clock'));
  row.classList.toggle('turn', isTurn(game, side));
  row.classList.toggle('won', Boolean(game.end) && game.end.outcome === (side === 0 ? 'black' : 'white'));
  drawClock(game, side);
}

function moveRow(move, ply) {
  const row = element('li');
  row.append(element('span', 'ply', `${ply}`), element('span', '', moveText(move)));
  row.append(element('span', 'spent', `${move.split(',T')[1]}s`));
  return row;
}

function drawMoves(game) {
  const list = $('moves');
  const same = list.dataset.game === String(game.id) && list.children.length <= game.moves.length;
  if (!same) list.replaceChildren();
  list.dataset.game = game.id;
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
  for (let i = list.children.length; i < game.moves.length; ++i) list.append(moveRow(game.moves[i], i + 1));
  if (atEnd || !same) list.scrollTop = list.scrollHeight;
}

function drawGame(game) {
  $('title').textContent = `${game.black.name} – ${game.white.name}`;
  const facts = [game.name, timeText(game.time)];
  if (game.max_moves) facts.push(`${game.max_moves} ${words.max}`);
  if (game.state === 'agreeing') facts.push(words.agreeing);
  $('facts').textContent = facts.join(' · ');
  $('result').hidden = !game.end;
  if (game.end) $('result').textContent = resultText(game);
  drawPlayer(game, 1);
  drawPlayer(game, 0);
  drawBoard(game);
  drawMoves(game);
  document.title = `${game.black.name} – ${game.white.name} · Fuhyō`;
}

// ---- the list ----

function shownGame() {
  if (chosen !== null && games.has(chosen)) return games.get(chosen);
  // Real games before demonstrations, running ones before others, newer before older.
  const states = { running: 4, agreeing: 2, ended: 0 };
  const rank = (game) => states[game.state] + (game.room === 'demo' ? 0 : 1);
  return [...games.values()].sort((a, b) => rank(b) - rank(a) || b.id - a.id)[0] || null;
}

function drawList(shown) {
  const order = [...games.values()].sort((a, b) => (b.state !== 'ended') - (a.state !== 'ended') || b.id - a.id);
  $('games').replaceChildren(...order.slice(0, 100).map((game) => {
    const button = element('button');
    button.type = 'button';
    if (game.state === 'running') button.append(element('span', 'live'));
    button.append(`${game.black.name} – ${game.white.name}`);
    button.setAttribute('aria-current', String(game === shown));
    button.addEventListener('click', () => { chosen = game.id; draw(); });
    return button;
  }));
  $('games').hidden = games.size < 2;
}

function draw() {
  const shown = shownGame();
  $('game').hidden = !shown;
  $('empty').hidden = Boolean(shown);
  $('empty').replaceChildren(element('strong', '', words.none), element('br'), words.none_how);
  drawList(shown);
  if (shown) drawGame(shown);
}

let drawPending = false;
function drawSoon() {  // once a frame, however many events came
  if (drawPending) return;
  drawPending = true;
  requestAnimationFrame(() => { drawPending = false; draw(); });
}

// ---- the feed ----

const MAX_ENDED = 50;
function dropOldEnded() {
  const ended = [...games.values()].filter((game) => game.end);
  for (const game of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) games.delete(game.id);
}

const handlers = {
  snapshot(data) {
    clockSkew = Date.now() - data.now_ms;
    games.clear();
    for (const game of data.games) games.set(game.id, game);
  },
  opened(data) { games.set(data.game.id, data.game); },
  started(data, game) { game.state = 'running'; game.turn_since_ms = data.at_ms; },
  moved(data, game) {
    game.moves.push(data.move);
    game.sfen = data.sfen;
    game.remaining_s[data.move[0] === '+' ? 0 : 1] = data.remaining_s;
    game.turn_since_ms = data.at_ms;
  },
  paused(data, game) { game.paused_ms = data.paused_ms; },
  resumed(data, game) { game.paused_ms = null; game.turn_since_ms = data.turn_since_ms; },
  ended(data, game) { game.state = 'ended'; game.end = data; dropOldEnded(); },
  rejected(data) { games.delete(data.id); },
};

function setConnection(state) {
  $('connection').className = state;
  $('connection-text').textContent = state === 'live' ? words.live : state === 'lost' ? words.lost : words.connecting;
}

function follow() {
  const source = new EventSource('/api/v1/events');
  source.addEventListener('open', () => setConnection('live'));
  source.addEventListener('error', () => {
    setConnection('lost');
    // The browser itself tries again after a broken stream, but not after a refusal.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  });
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => {
      const data = JSON.parse(event.data);
      const game = games.get(data.id);
      if (game || name === 'snapshot' || name === 'opened') handle(data, game);
      drawSoon();
    });
  }
}

document.documentElement.lang = navigator.language.startsWith('ja') ? 'ja' : 'en';
$('subtitle').textContent = words.subtitle;
setConnection('connecting');
setInterval(() => {
  const shown = shownGame();
  if (shown && shown.state === 'running') { drawClock(shown, 0); drawClock(shown, 1); }
}, 250);
draw();
follow();
