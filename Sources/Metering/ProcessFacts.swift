package import Exposition
import Glibc
import SystemIO

/// What the kernel says of this process.
package enum ProcessFacts {
    /// Start of the process in seconds since 1970, determined once: when the clock is set, the process doesn't start
    /// again.
    private static let start: Double? = {
        guard let ticks = status?.startTicks, let now = time(CLOCK_REALTIME), let sinceBoot = time(CLOCK_BOOTTIME)
        else {
            return nil
        }
        return ((now - sinceBoot + ticks / ticksPerSecond) * 100).rounded() / 100
    }()

    /// Determines the start of the process while the clock is as it was then.
    package static func begin() { _ = start }

    /// Adds the metrics of this process to a scrape. What cannot be read is left out.
    package static func collect(into scrape: inout Scrape) {
        if let start { scrape.add(ProcessMetric.start, start) }
        if let status {
            scrape.add(ProcessMetric.cpu, status.cpuTicks / ticksPerSecond)
            scrape.add(ProcessMetric.threads, status.threads)
            scrape.add(ProcessMetric.residentMemory, status.residentPages * Double(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let count = openFiles { scrape.add(ProcessMetric.openFiles, count) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            scrape.add(ProcessMetric.mostFiles, UInt64(limit.rlim_cur))
        }
    }

    /// Fields of /proc/self/stat (proc(5)).
    struct Status: Equatable {
        var cpuTicks: Double
        var threads: Double
        var startTicks: Double
        var residentPages: Double

        /// Reads the file. The second field is the program's name in parentheses, which may hold anything.
        init?(_ text: String) {
            guard let end = text.lastIndex(of: ")") else { return nil }
            // These begin with the third field.
            let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
            guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
                let threads = Double(fields[17]), let start = Double(fields[19]), let pages = Double(fields[21])
            else { return nil }
            cpuTicks = user + system
            self.threads = threads
            startTicks = start
            residentPages = pages
        }
    }

    private static var status: Status? {
        (try? FileContents.read("/proc/self/stat", limit: 4096)).flatMap { Status(String(decoding: $0, as: UTF8.self)) }
    }

    private static var openFiles: Int? {
        guard let stream = opendir("/proc/self/fd") else { return nil }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of the directory itself.
        return max(0, count - 3)
    }

    private static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    private static func time(_ clock: clockid_t) -> Double? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
