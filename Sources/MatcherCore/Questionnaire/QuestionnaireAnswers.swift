/// Answers of a person to the questionnaire.
package struct QuestionnaireAnswers: Equatable, Sendable {
    /// Answer to the question about contacts.
    package enum Contact: String, CaseIterable, Sendable {
        case yes, no
        case unknown = "not-known"

        /// The answer in words.
        package var text: String {
            switch self {
            case .yes: "Yes"
            case .no: "No"
            case .unknown: "Not known"
            }
        }
    }

    /// Name of the question about contacts, in forms and in the store.
    package static let contactName = "contact"

    package var contact: Contact
    /// Symptoms that the person has; none of them is `.absent`.
    package private(set) var symptoms: [Symptom: Symptom.Severity]

    package init(contact: Contact, symptoms: [Symptom: Symptom.Severity] = [:]) {
        self.contact = contact
        self.symptoms = symptoms.filter { $0.value != .absent }
    }

    /// Reads the fields of a form, or of the store.
    ///
    /// - Returns: `nil` if an answer is missing or is none of those that can be chosen.
    package init?(fields: [String: String]) {
        guard let contact = fields[Self.contactName].flatMap({ Contact(rawValue: $0) }) else { return nil }
        var symptoms: [Symptom: Symptom.Severity] = [:]
        for symptom in Symptom.allCases {
            guard let severity = fields[symptom.rawValue].flatMap({ Symptom.Severity(rawValue: $0) }) else {
                return nil
            }
            symptoms[symptom] = severity
        }
        self.init(contact: contact, symptoms: symptoms)
    }

    /// Reads what `text` wrote.
    ///
    /// - Returns: `nil` if it is damaged.
    package init?(text: String) {
        var fields: [String: String] = [:]
        for part in text.split(separator: " ") {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            fields[String(sides[0])] = String(sides[1])
        }
        for symptom in Symptom.allCases where fields[symptom.rawValue] == nil {
            fields[symptom.rawValue] = Symptom.Severity.absent.rawValue
        }
        self.init(fields: fields)
    }

    /// Text for the store: `contact=no fever=mild`.
    package var text: String {
        let parts = symptoms.sorted { $0.key < $1.key }.map { "\($0.key.rawValue)=\($0.value.rawValue)" }
        return (["\(Self.contactName)=\(contact.rawValue)"] + parts).joined(separator: " ")
    }
}
