// What other programs' readers make of record files: a line of JSON for each line "READER FILE" of standard input.
//
//     NODE_PATH=FOLDER/node_modules node other_readers.cjs
//
// {"moves": ["7g7f", ...], "end": "...", "branches": 2}, of the main line; or {"error": "..."}.
const fs = require("fs");
const ts = require("tsshogi");
const { JKFPlayer } = require("json-kifu-format");

const square = ({ x, y }) => x + "abcdefghi"[y - 1];
const LETTERS = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R" };

function byTsshogi(format, text) {
  const read = { kifu: ts.importKIF, ki2u: ts.importKI2, csa: ts.importCSA, csa3: ts.importCSA, jkf: ts.importJKFString };
  const record = read[format](text);
  if (record instanceof Error) throw record;
  const nodes = record.moves.slice(1);
  const last = nodes.length > 0 && !(nodes[nodes.length - 1].move instanceof ts.Move) ? nodes.pop() : null;
  let branches = 0;
  record.forEach((node) => {
    branches += node.isFirstBranch || node.ply === 0 ? 0 : 1;
  });
  return {
    moves: nodes.map((node) => node.move.usi),
    end: last ? (last.move.type ?? last.move.name) : "",
    branches,
  };
}

function byKifuForJs(format, text) {
  const read = { kifu: JKFPlayer.parseKIF, ki2u: JKFPlayer.parseKI2, csa: JKFPlayer.parseCSA, jkf: JKFPlayer.parseJKF };
  const entries = read[format](text).kifu.moves;
  const moves = [];
  let end = "";
  for (const { move, special } of entries) {
    if (special) end = special;
    if (!move) continue;
    const origin = move.from ? square(move.from) : LETTERS[move.piece] + "*";
    moves.push(origin + square(move.to) + (move.promote ? "+" : ""));
  }
  const count = (line) =>
    line.reduce((sum, { forks }) => sum + (forks ?? []).reduce((n, fork) => n + 1 + count(fork), 0), 0);
  return { moves, end, branches: count(entries) };
}

for (const line of fs.readFileSync(0, "utf8").split("\n").filter((text) => text)) {
  const [reader, file] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
  const format = file.slice(file.lastIndexOf(".") + 1);
  let answer;
  try {
    const text = fs.readFileSync(file, "utf8");
    answer = reader === "tsshogi" ? byTsshogi(format, text) : byKifuForJs(format, text);
  } catch (error) {
    answer = { error: String(error.message ?? error).slice(0, 200) };
  }
  console.log(JSON.stringify(answer));
}
