/// A test result that somebody without an account, or a student, has sent in on the page.
///
/// An officer decides about it. Nothing follows from it before.
package struct SubmittedResult: Hashable, Sendable {
    package enum State: String, Sendable {
        /// The sender has not sent it yet.
        case draft
        /// It waits for an officer.
        case waiting
    }

    /// 22 characters of base64url, which nobody can guess.
    package var reference: String
    package var state: State
    /// Seconds since 1970: of the upload for a draft, of the sending for one that waits.
    package var at: Int64
    package var sender: Sender
    /// Days since 1970, as the sender says.
    package var testDay: Int64?
    package var onset: Int64?
    package var orderNumber: String
    package var proof: Proof

    /// Who sends it, as typed: nothing of it was checked.
    package struct Sender: Hashable, Sendable {
        package var name: String
        package var number: String
        package var contact: String

        package init(name: String, number: String, contact: String) {
            self.name = name
            self.number = number
            self.contact = contact
        }
    }

    package enum Proof: Hashable, Sendable {
        case picture(PictureFacts)
        /// A code of the authority was given, but the sender was not found in the register.
        case code
    }

    /// Facts about the picture that are known without opening it, and the values read from it.
    package struct PictureFacts: Hashable, Sendable {
        /// `png` or `jpeg`.
        package var format: String
        package var width: Int
        package var height: Int
        package var byteCount: Int
        /// `nil` if no program has read the picture.
        package var read: ReadOff?

        package init(format: String, width: Int, height: Int, byteCount: Int, read: ReadOff? = nil) {
            self.format = format
            self.width = width
            self.height = height
            self.byteCount = byteCount
            self.read = read
        }
    }

    /// Values that the reader suggests. A person has to confirm them.
    package struct ReadOff: Hashable, Sendable {
        /// Maximum number of codes, and of characters in each.
        package static let mostCodes = 8
        package static let longestCode = 203

        /// `positive`, `negative` or `unclear`.
        package var outcome: String?
        package var testDay: Int64?
        package var orderNumber: String?
        /// Contents of QR codes in the picture, each in one line.
        package var codes: [String]

        /// Further codes, and what is too long of a code, are left out.
        package init(
            outcome: String? = nil, testDay: Int64? = nil, orderNumber: String? = nil, codes: [String] = []
        ) {
            self.outcome = outcome
            self.testDay = testDay
            self.orderNumber = orderNumber
            self.codes = codes.prefix(Self.mostCodes).map(Self.line)
        }

        private static func line(_ code: String) -> String {
            var line = String.UnicodeScalarView()
            for scalar in code.unicodeScalars.prefix(longestCode) {
                line.append(scalar.properties.generalCategory == .control ? " " : scalar)
            }
            return String(line)
        }
    }

    package init(
        reference: String, state: State, at: Int64, sender: Sender, testDay: Int64? = nil, onset: Int64? = nil,
        orderNumber: String = "", proof: Proof
    ) {
        self.reference = reference
        self.state = state
        self.at = at
        self.sender = sender
        self.testDay = testDay
        self.onset = onset
        self.orderNumber = orderNumber
        self.proof = proof
    }

    package var picture: PictureFacts? {
        if case .picture(let facts) = proof { facts } else { nil }
    }
}
