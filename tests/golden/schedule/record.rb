# Records the next times that shogi-server's own classes find; schedule_test.cpp says what a line means.
#   ruby record.rb <shogi-server checkout> <seed> <cases> > next_times.tsv
SOURCE = ARGV.shift
$topdir = "."; $options = {}
def log_message(m) end; def log_warning(m) end; def log_error(m) end; def log_info(m) end; def log_debug(m) end
require File.expand_path('shogi_server.rb', SOURCE)
require File.expand_path('shogi_server/league/floodgate.rb', SOURCE)
%i[log_message log_warning log_error log_info log_debug].each{|m| Object.send(:define_method, m){|*a|} ; ShogiServer.send(:define_method, m){|*a|}}
F = ShogiServer::League::Floodgate
R = Random.new(ARGV[0].to_i)
ZONES = %w(UTC Asia/Tokyo America/New_York Europe/Berlin Australia/Lord_Howe America/St_Johns Pacific/Apia Asia/Kathmandu America/Santiago)
def spans(zone)
  ENV['TZ'] = zone
  t = Time.utc(2009,1,1).to_i; last = nil; out = []
  step = 1800
  while t < Time.utc(2029,1,1).to_i
    o = Time.at(t).utc_offset
    (out << [t, o]; last = o) if o != last
    t += step
  end
  out
end
SP = ZONES.map{|z| [z, spans(z)]}.to_h
SP.each{|z, s| puts "zone\t#{z}\t#{s.map{|a,b| "#{a}:#{b}"}.join(',')}"}
DAYS = Date::DAYNAMES + Date::ABBR_DAYNAMES + %w(sun Son MON Xday)
def line
  case R.rand(14)
  when 0 then "# a comment"
  when 1 then ["", "   ", "hoge", "Sat 13;00", "sat", "Sat13:00", "Sat 24:00", "Sun 10:60", "-Sat 10:00", "Sat 1:2:3"].sample(random: R)
  when 2 then "set pairing_factory #{%w(least_diff_pairing floodgate_zyunisen swiss_pairing random_pairing sort_by_rate_with_randomness default_factory).sample(random: R)}"
  when 3 then "  set   sacrifice yowai_gps+95908f6c18338f5340371f71523fc5e3"
  when 4 then "set max_moves #{R.rand(500)}"
  when 5 then "set least_time_per_move #{R.rand(5)}"
  else
    h = R.rand(3) == 0 ? R.rand(4) : R.rand(25)
    m = R.rand(2) == 0 ? [0, 30].sample(random: R) : R.rand(61)
    pre = R.rand(5) == 0 ? "  " : ""; gap = R.rand(5) == 0 ? "   " : " "
    tail = R.rand(6) == 0 ? [" weekly", "5", " # x", " Sun 14:00", "-"].sample(random: R) : ""
    f = R.rand(3) == 0 ? "%d:%d" : "%02d:%02d"
    pre + DAYS.sample(random: R) + gap + (f % [h, m]) + tail
  end
end
ARGV[1].to_i.times do |i|
  z = ZONES.sample(random: R)
  ENV['TZ'] = z
  now = if R.rand(2) == 0 && SP[z].size > 2
    SP[z][1..].sample(random: R)[0] + R.rand(-2*86400..2*86400) / (R.rand(2)==0 ? 1 : 12)
  else
    Time.utc(2009,2,1).to_i + R.rand(19*365*86400)
  end
  now = now / 1800 * 1800 if R.rand(5) == 0
  kind = R.rand(5)
  g, text = case kind
    when 0 then [F::NextTimeGenerator_Floodgate_900_0.new, "floodgate-900-0"]
    when 1 then [F::NextTimeGenerator_Floodgate_3600_0.new, "floodgate-3600-0"]
    else ls = (0..R.rand(5)).map { line }; [F::NextTimeGeneratorConfig.new(ls.map{|l| l + "\n"}), ls.join("\\n")]
    end
  t = g.call(Time.at(now))
  next if t && t.to_i <= now  # shogi-server would start rounds without end; Fuhyo goes on
  puts [z, now, text, t ? t.to_i : "none", g.pairing_factory, g.sacrifice, g.max_moves, g.least_time_per_move].join("\t")
end
