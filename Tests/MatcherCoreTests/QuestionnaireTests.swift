import Matching
import Testing

@testable import MatcherCore

@Suite("The questionnaire about contacts and symptoms") struct QuestionnaireTests {
    private typealias Answers = QuestionnaireAnswers

    @Test(
        "Contacts and symptoms together make the level",
        arguments: [
            (QuestionnaireAnswers(contact: .no), RiskLevel.low),
            (QuestionnaireAnswers(contact: .unknown), .low),
            (QuestionnaireAnswers(contact: .no, symptoms: [.nose: .mild]), .low),
            (QuestionnaireAnswers(contact: .unknown, symptoms: [.nose: .mild]), .medium),
            (QuestionnaireAnswers(contact: .no, symptoms: [.headache: .severe]), .medium),
            (QuestionnaireAnswers(contact: .no, symptoms: [.cough: .mild]), .medium),
            (QuestionnaireAnswers(contact: .yes), .medium),
            (QuestionnaireAnswers(contact: .yes, symptoms: [.throat: .severe]), .medium),
            (QuestionnaireAnswers(contact: .yes, symptoms: [.loss: .mild]), .high),
            (QuestionnaireAnswers(contact: .no, symptoms: [.fever: .severe]), .high),
        ])
    func levels(_ answers: QuestionnaireAnswers, _ level: RiskLevel) {
        let result = Questionnaire.result(of: answers)
        #expect(result.level == level)
        #expect(!result.reasons.isEmpty && !result.advice.isEmpty)
    }

    @Test("A further symptom or contact never lowers the level") func monotonic() {
        for contact in Answers.Contact.allCases {
            for first in Symptom.allCases {
                for severity in Symptom.Severity.allCases {
                    let base = Questionnaire.result(of: Answers(contact: contact, symptoms: [first: severity])).level
                    let exposed = Answers(contact: .yes, symptoms: [first: severity])
                    #expect(Questionnaire.result(of: exposed).level >= base)
                    for second in Symptom.allCases where second != first {
                        let more = Answers(contact: contact, symptoms: [first: severity, second: .mild])
                        #expect(Questionnaire.result(of: more).level >= base)
                    }
                }
            }
        }
    }

    @Test("The reasons are those of the level, and no others") func reasons() {
        let result = Questionnaire.result(of: Answers(contact: .yes, symptoms: [.cough: .mild, .headache: .severe]))
        #expect(
            result.reasons == [
                "You were near somebody who tested positive, and have a symptom that is typical of the infection."
            ])
        let low = Questionnaire.result(of: Answers(contact: .unknown))
        #expect(low.reasons == ["You have no symptoms, and know of no contact with somebody who tested positive."])
    }

    @Test("Whoever can hardly breathe is told to call for help first") func breath() {
        let result = Questionnaire.result(of: Answers(contact: .no, symptoms: [.breathlessness: .severe]))
        #expect(result.advice.first?.contains("emergency number") == true)
        let mild = Questionnaire.result(of: Answers(contact: .no, symptoms: [.breathlessness: .mild]))
        #expect(!mild.advice.contains { $0.contains("emergency") })
    }

    @Test("Nothing that is said tells somebody that they are healthy") func nothingSafe() {
        for contact in Answers.Contact.allCases {
            let result = Questionnaire.result(of: Answers(contact: contact))
            let text = (result.reasons + result.advice).joined(separator: " ").lowercased()
            for word in ["safe", "healthy", "not infected", "no risk"] { #expect(!text.contains(word)) }
        }
    }

    @Test("Answers are the same after they were stored") func stored() {
        let answers = Answers(contact: .unknown, symptoms: [.loss: .severe, .fever: .mild, .nose: .absent])
        #expect(answers.text == "contact=not-known fever=mild loss-of-smell-or-taste=severe")
        #expect(Answers(text: answers.text) == answers)
        for text in ["", "contact", "contact=maybe", "contact=no fever=much", "fever=mild"] {
            #expect(Answers(text: text) == nil, "\(text)")
        }
    }

    @Test("A form with an answer missing or unknown is no answer") func form() {
        var fields = [Answers.contactName: "no"]
        for symptom in Symptom.allCases { fields[symptom.rawValue] = "none" }
        #expect(Answers(fields: fields) == Answers(contact: .no))
        for name in fields.keys {
            for value in [nil, "", "yes!"] as [String?] {
                var damaged = fields
                damaged[name] = value
                #expect(Answers(fields: damaged) == nil, "\(name)")
            }
        }
    }

    @Test("It is asked daily after an exposure, and while there are symptoms") func schedule() {
        let well = Answers(contact: .no)
        let ill = Answers(contact: .no, symptoms: [.nose: .mild])
        #expect(!Questionnaire.isAsked(on: 10, last: nil, isExposed: false))
        #expect(Questionnaire.isAsked(on: 10, last: nil, isExposed: true))
        #expect(Questionnaire.isAsked(on: 10, last: (day: 9, answers: well), isExposed: true))
        #expect(!Questionnaire.isAsked(on: 10, last: (day: 10, answers: ill), isExposed: true))
        #expect(!Questionnaire.isAsked(on: 10, last: (day: 9, answers: well), isExposed: false))
        #expect(Questionnaire.isAsked(on: 10, last: (day: 9, answers: ill), isExposed: false))
        #expect(Questionnaire.isAsked(on: 10, last: (day: 9, answers: Answers(contact: .yes)), isExposed: false))
        #expect(!Questionnaire.isAsked(on: 30, last: (day: 10, answers: ill), isExposed: false))
        // A clock that was set back.
        #expect(!Questionnaire.isAsked(on: 10, last: (day: 12, answers: ill), isExposed: true))
    }
}
