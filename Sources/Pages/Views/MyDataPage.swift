/// Data that is kept about the person who is signed in, and the form that deletes it.
package struct MyDataPage: PageContent {
    package static let template = PageTemplate.myData
    package var frame: Frame
    /// Reason why no data can be found, in a sentence; `nil` if it can be found.
    package var obstacle: String?
    /// Student or staff number, which has to be typed.
    package var number: String
    /// Own badges and phones.
    package var devices: [Device]
    package var held: [Held]
    /// Data that the deletion does not reach, in sentences.
    package var left: [String]
    /// Mistake in the form that was sent.
    package var mistake: String?
    /// Whether there is something to delete.
    package var canErase: Bool

    package struct Device: Equatable, Sendable {
        package var kind: String
        package var id: String

        package init(kind: String, id: String) {
            self.kind = kind
            self.id = id
        }
    }

    /// Data of one kind.
    package struct Held: Equatable, Sendable {
        package var data: String
        package var count: String
        package var howLong: String

        package init(_ data: String, _ count: String, _ howLong: String) {
            self.data = data
            self.count = count
            self.howLong = howLong
        }
    }

    package init(
        _ frame: Frame, obstacle: String? = nil, number: String = "", devices: [Device] = [], held: [Held] = [],
        left: [String] = [], mistake: String? = nil, canErase: Bool = false
    ) {
        self.frame = frame
        self.obstacle = obstacle
        self.number = number
        self.devices = devices
        self.held = held
        self.left = left
        self.mistake = mistake
        self.canErase = canErase
    }
}
