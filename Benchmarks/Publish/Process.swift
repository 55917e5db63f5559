import Glibc
import SystemIO

/// What this process has used, by its files in /proc.
enum Process {
    /// To storage, in bytes (proc(5), io).
    static var writtenBytes: Int { field("write_bytes:", in: "/proc/self/io") }
    /// Resident now and at most, in bytes.
    static var memory: Int { field("VmRSS:", in: "/proc/self/status") * 1024 }
    static var peakMemory: Int { field("VmHWM:", in: "/proc/self/status") * 1024 }

    private static func field(_ name: String, in path: String) -> Int {
        let text = String(decoding: (try? FileContents.read(path, limit: 65_536)) ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

/// Says on a terminal what is being done.
enum Progress {
    static func say(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        let line = Array(("\r\u{1B}[K" + (text ?? "")).utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

enum Text {
    static func number(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let scaled = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        if digits == 0 { return sign + "\(scaled)" }
        let rest = "\(scaled % Int64(scale))"
        return sign + "\(scaled / Int64(scale))." + String(repeating: "0", count: digits - rest.count) + rest
    }

    /// To so many characters; a negative number puts the text on the right.
    static func pad(_ text: String, _ width: Int) -> String {
        let padding = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? padding + text : text + padding
    }
}
