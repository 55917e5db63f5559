import Glibc

extension SimulatedBuilding {
    static func log10(_ value: Double) -> Double { Glibc.log10(value) }
    static func cosine(_ angle: Double) -> Double { Glibc.cos(angle) }
    static func angle(_ x: Double, _ y: Double) -> Double { Glibc.atan2(y, x) }
}
