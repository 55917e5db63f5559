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
                    key: "phones.enrolment", found: "is \"open\"", meaning: "anyone can create any number of phones",
                    remedy: "use \"code\", and issue codes to known people: beacon-matcher enrolment issue"))
        }
        if acceptsUnproven {
            let who = needsCode ? "whoever has codes for many phones" : "whoever creates many phones"
            warnings.append(
                ConfigurationWarning(
                    key: "phones.unproven-stays", found: "is true",
                    meaning:
                        "a phone's own claim is enough for where it was: \(who), and makes each claim another half "
                        + "hour, learns when a positive subject was there",
                    remedy: "set proof-uuid, let gateways track it, and remove unproven-stays"))
        }
        if !tellsNextDay {
            warnings.append(
                ConfigurationWarning(
                    key: "phones.tell", found: "is \"at-once\"",
                    meaning: "a notification within seconds reveals when a positive subject was near",
                    remedy: "take \"next-day\""))
        }
        return warnings
    }

    /// Note on what phones cannot do with these settings, although there is an API for them. Pure.
    package var note: String? {
        guard proofUUID == nil, !acceptsUnproven else { return nil }
        return
            "phones.proof-uuid is missing: phones cannot prove where they are, so the stays that they report are "
            + "rejected"
    }
}

extension MatcherConfiguration {
    /// The note of `PhoneSettings`; `nil` without an API for phones.
    package var phoneNote: String? { api == nil ? nil : phones.note }
}
