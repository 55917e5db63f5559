/// Numbers formatted for people.
package enum Format {
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, abs(value) < 1e12 else { return "?" }
        let scaled = Int64((abs(value) * scale).rounded())
        let whole = scaled / Int64(scale)
        let sign = value < 0 && scaled != 0 ? "-" : ""
        if digits == 0 { return sign + String(whole) }
        let rest = String(scaled % Int64(scale))
        return sign + "\(whole)." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
