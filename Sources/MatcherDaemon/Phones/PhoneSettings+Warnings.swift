import MatcherCore
package import Publishing

extension PhoneSettings {
    /// Warnings about settings that let phones learn more than the day of an exposure, or let more phones learn it.
    /// Pure.
    package var warnings: [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if !needsCode {
            warnings.append(
                ConfigurationWarning(
                    key: "phones.enrolment", found: "is \"open\"", meaning: "anybody makes as many phones as they like",
                    remedy: "take \"code\", and give codes to whom you know: beacon-matcher enrolment issue"))
        }
        if acceptsUnproven {
            let who = needsCode ? "whoever has codes for many phones" : "whoever makes many phones"
            warnings.append(
                ConfigurationWarning(
                    key: "phones.unproven-stays", found: "is true",
                    meaning: "a phone's word is enough for where it was: \(who), and has each tell of another half "
                        + "hour, learns when somebody positive was there",
                    remedy: "set proof-uuid, have gateways follow it, and leave unproven-stays out"))
        }
        if !tellsNextDay {
            warnings.append(
                ConfigurationWarning(
                    key: "phones.tell", found: "is \"at-once\"",
                    meaning: "what a phone is told within seconds says at what time somebody positive was near",
                    remedy: "take \"next-day\""))
        }
        return warnings
    }

    /// Note on what phones cannot do with these settings, although there is an API for them. Pure.
    package var note: String? {
        guard proofUUID == nil, !acceptsUnproven else { return nil }
        return "phones.proof-uuid is missing: phones can't prove where they are, so no stay that one tells is taken"
    }
}

extension MatcherConfiguration {
    /// The note of `PhoneSettings`; `nil` without an API for phones.
    package var phoneNote: String? { api == nil ? nil : phones.note }
}
