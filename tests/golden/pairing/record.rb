# Records what shogi-server's own pairing classes do with made-up rounds; pairing_test.cpp says what a line means.
#   ruby record.rb <shogi-server checkout> <method> <cases> <seed> > <method>.tsv
SOURCE, METHOD, COUNT, SEED = ARGV[0], ARGV[1], ARGV[2].to_i, ARGV[3].to_i
$topdir = "."; $options = {}
def log_message(m) end; def log_warning(m) end; def log_error(m) end; def log_info(m) end; def log_debug(m) end
require File.expand_path('shogi_server.rb', SOURCE)
require File.expand_path('shogi_server/league/floodgate.rb', SOURCE)
require File.expand_path('shogi_server/pairing.rb', SOURCE)
%i[log_message log_warning log_error log_info log_debug].each{|m| Object.send(:define_method, m){|*a|} ; ShogiServer.send(:define_method, m){|*a|}}

class SplitMix
  M = 0xffffffffffffffff
  def initialize(s) @s = s & M end
  def next_u64
    @s = (@s + 0x9e3779b97f4a7c15) & M
    z = @s
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & M
    z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & M
    z ^ (z >> 31)
  end
end
class Recorder
  attr_reader :log, :count, :digest
  def initialize(source) @source = source; @log = []; @count = 0; @digest = 14695981039346656037 end
  def rand(n)
    raise "rand(#{n.inspect})" unless n.is_a?(Integer) && n > 0
    return 0 if n == 1
    v = @source.call(n)
    @log << [n, v]; @count += 1
    [n, v].each {|x| @digest = ((@digest ^ x) * 1099511628211) & SplitMix::M }
    v
  end
end
$rec = nil
MT = Random.new(SEED)
class Array
  alias orig_shuffle shuffle; alias orig_shuffle! shuffle!; alias orig_sample sample
  def shuffle(*a) raise unless a.empty?; $rec ? orig_shuffle(random: $rec) : orig_shuffle(random: MT) end
  def shuffle!(*a) raise unless a.empty?; $rec ? orig_shuffle!(random: $rec) : orig_shuffle!(random: MT) end
  def sample(*a) raise unless a.empty?; $rec ? orig_sample(random: $rec) : orig_sample(random: MT) end
end
module Kernel
  def rand(n=0) $rec ? $rec.rand(n) : MT.rand(n) end
end
class ShogiServer::AbstractStartGame
  def start_game(a, b) $games << [a, b] end
end
class FakeLeague
  def initialize(ps) @h = {}; ps.each{|p| @h[p.name] = p} end
  def find(n) @h[n] end
end
class ShogiServer::League::Floodgate::History
  def self.factory(path) $history end
end
def r(n) MT.rand(n) end
STEMS = %w(gps_ gps_shogi bonanza bonanza_x apery apery_sdt YaneuraOu Yane tanuki- ponanza a b zz Q.s x@y Krist_483 k)
def make_name(i, humans)
  s = STEMS[r(STEMS.size)]
  return "#{s}#{i}_human" if r(10) < humans
  case r(8)
  when 0 then "#{s}#{i}_human"
  when 1 then "#{i}#{s}_human@pc#{i}"
  when 2 then "#{i}#{s}"
  when 3 then "#{s}_humanoid#{i}"
  else "#{s}#{i}"
  end
end
def make_case(method, no)
  size = 2 + r([3, 5, 7, 12, 20, 39, 39].sample)
  entrants_n = no <= 8 ? [0, 1, 2, 3, 4, 7, 8, 40][no - 1] : size
  wide = no > 8 && no % 4 == 0  # few players, far apart, who met: penalties decide
  entrants_n = [4, 6].sample if wide
  total = entrants_n + r(8)
  human_rate = [0, 2, 5].sample      # of 8: drop humans mostly
  humans = [0, 0, 3, 6, 9].sample
  unrated_one_of = [3, 10, 1000].sample
  rates = [[0], [1500], [0, 1500, 1800], [1600, 1700], (0..40).map{|k| k * 75}, nil, nil].sample
  players = (0...total).map do |i|
    pl = ShogiServer::BasicPlayer.new
    nm = make_name(i, humans)
    nm = nm.sub("_human", "_hm") if humans == 0 && r(8) >= human_rate
    pl.name = nm
    pl.player_id = "#{nm}+#{'%04x' % r(65536)}"
    pl.rate = rates ? rates.sample : (r(unrated_one_of) == 0 ? 0 : 100 + r(3400))
    pl.rate = [200, 0, -150].sample if r(60) == 0
    pl.rate = r(3) == 0 ? 0 : r(10_000) if wide
    pl.game_name = "floodgate-900-0"
    pl
  end
  entrants = players[0...entrants_n].orig_shuffle(random: MT)
  rest = players[entrants_n..]
  online = rest.select { r(2) == 0 }
  entrants.each {|pl| pl.estimated_rate = 1000 + r(2000) if pl.rate == 0 && r(4) == 0}
  online.each {|pl| pl.estimated_rate = r(2) == 0 ? 0 : 1000 + r(2000) if pl.rate == 0}
  games = total < 2 ? 0 : [0, r(8), r(60), r(130)].sample
  records = (0...games).map do |g|
    a, b = players.orig_shuffle(random: MT)[0, 2]
    w = [a, b, a, b, nil].sample
    l = w && (w == a ? b : a)
    {game_id: "g#{g}", black: a.player_id, white: b.player_id, winner: w && w.player_id, loser: l && l.player_id}
  end
  # rematches: some of the newest games are between neighbours in login order
  entrants.each_slice(2){|a, b| next unless b && (wide || r(3) == 0)
    records << {game_id: "n", black: a.player_id, white: b.player_id, winner: b.player_id, loser: a.player_id} }
  records = records.last(100)
  h = ShogiServer::League::Floodgate::History.new(nil)
  h.instance_variable_set(:@records, records)
  $history = records.empty? && r(2) == 0 ? nil : h
  $league = FakeLeague.new(entrants + online)
  sacrifice = case r(4)
    when 0 then ""
    when 1 then "gps500+e293220e3f8a3e59f79f6b0efffaa931"
    else (r(4) == 0 ? players : (entrants.empty? ? players : entrants)).sample&.player_id || ""
  end
  index = {}; all = entrants + online + (rest - online)
  all.each_with_index{|pl, i| index[pl.player_id] = i}
  line = []
  line << no << method << (index[sacrifice] || sacrifice)
  line << entrants.map{|pl| "#{pl.player_id}:#{pl.rate}:#{pl.estimated_rate}".sub(/:0$/, "")}.join(",")
  line << online.map{|pl| "#{pl.player_id}:#{pl.rate}:#{pl.estimated_rate}"}.join(",")
  line << (rest - online).map{|pl| pl.player_id}.join(",")
  line << records.map{|g| "#{index[g[:black]]}#{g[:winner].nil? ? '=' : g[:winner] == g[:black] ? '>' : '<'}#{index[g[:white]]}"}.join(",")
  mode = %w(plain plain low seeded).sample
  big = method =~ /least|zyun/ && entrants.size > 6
  seed = r(1 << 40)
  if mode == "seeded" || big
    sm = SplitMix.new(seed); src = ->(n){ sm.next_u64 % n }; listed = false
  elsif mode == "low"
    src = ->(n){ MT.rand([n, 3].min) }; listed = true
  else
    src = ->(n){ MT.rand(n) }; listed = true
  end
  $rec = Recorder.new(src); $games = []; outs = []
  pls = entrants.dup
  options = {pairing_factory: method, sacrifice: sacrifice, max_moves: 256, least_time_per_move: 0}
  logics = ShogiServer::Pairing.send(method, options)
  logics.each do |l|
    before = pls.dup
    l.set_options(options); l.match(pls)
    gone = before - pls
    reason = case l
      when ShogiServer::ExcludeUnratedPlayers then "unrated"
      when ShogiServer::ExcludeSacrifice then "sacrifice"
      when ShogiServer::MakeEven then before.size == 1 ? "alone" : "odd"
      end
    gone.each{|pl| outs << "#{index[pl.player_id]}:#{reason}"} if reason
  end
  raise "left" if pls.size > 0 && !(pls.size == 2 && $games.size == 1)
  rec = $rec; $rec = nil
  line << (listed ? rec.log.map{|n, v| v}.join(",") : "#{seed}") 
  line << "#{listed ? 'list' : 'seed'}:#{rec.count}:#{rec.digest}"
  line << $games.map{|a, b| "#{index[a.player_id]}>#{index[b.player_id]}"}.join(",")
  line << outs.join(",")
  line << entrants.map{|pl| pl.estimated_rate}.join(",")
  line.join("\t")
end
COUNT.times { |i| puts make_case(METHOD, i + 1) }
