import BeaconModel
import MatcherCore
import OperatorText

extension MatcherConfiguration {
    static func readPhones(_ root: TOMLReader) -> PhoneSettings {
        var settings = PhoneSettings()
        guard let reader = root.table("phones") else { return settings }
        defer { reader.finish() }
        settings.needsCode =
            reader.parsed("enrolment", allowed: "\"code\" or \"open\"") { ["code": true, "open": false][$0] }
            ?? settings.needsCode
        settings.uploadWithin =
            reader.duration("upload-within", in: .seconds(60)...(.seconds(86_400)))?.components.seconds
            ?? settings.uploadWithin
        settings.proofUUID = reader.parsed("proof-uuid", allowed: "a UUID that no badge or place uses") {
            ProximityUUID($0)
        }
        settings.acceptsUnproven = reader.boolean("unproven-stays") ?? settings.acceptsUnproven
        settings.tellsNextDay =
            reader.parsed("tell", allowed: "\"next-day\" or \"at-once\"") { ["next-day": true, "at-once": false][$0] }
            ?? settings.tellsNextDay
        return settings
    }
}
