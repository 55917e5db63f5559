/// Page of one gateway: facts, problems and remedies.
package struct GatewayPage: PageContent {
    package static let template = PageTemplate.gateway
    package var frame: Frame
    /// `site/building/floor/gateway`.
    package var place: String
    package var state: StateTag
    /// Meaning of the state, in a sentence.
    package var what: String
    /// Remedy, in a sentence.
    package var remedy: String?
    /// Path of the map of its floor; `nil` if there is no plan.
    package var map: String?
    package var facts: [LabelledFact]
    package var receivers: [Receiver]
    package var beacons: [Beacon]
    package var levels: [Level]
    /// Local time at which the levels were learnt.
    package var levelsTime: String?

    package var modules: [Module]
    package var hasModules: Bool
    /// Whether modules have buttons that identify and reset them.
    package var hasButtons: Bool
    /// Lines by which somebody identifies or resets a module where there are no buttons.
    package var commands: [Command]
    package var hasCommands: Bool
    package var trust: Trust

    /// Whether records of the gateway are accepted, and the forms that change it.
    package struct Trust: Equatable, Sendable {
        /// Time of its revocation in seconds since 1970, which the form sends back; `nil` if it is not revoked.
        package var revokedSince: String?
        /// What was typed as the reason.
        package var reason: String
        package var mistake: String?
        /// Lines for what is done on the command line alone.
        package var commands: [Command]

        package init(
            revokedSince: String? = nil, reason: String = "", mistake: String? = nil, commands: [Command] = []
        ) {
            self.revokedSince = revokedSince
            self.reason = reason
            self.mistake = mistake
            self.commands = commands
        }
    }

    /// Module that the gateway looks after.
    package struct Module: Equatable, Sendable {
        package var label: String
        package var tag: StateTag
        package var firmware: String
        package var problem: String
        /// Remedy, as the gateway states it.
        package var advice: String

        package init(label: String, tag: StateTag, firmware: String, problem: String, advice: String) {
            self.label = label
            self.tag = tag
            self.firmware = firmware
            self.problem = problem
            self.advice = advice
        }
    }

    package struct Command: Equatable, Sendable {
        package var purpose: String
        package var line: String

        package init(purpose: String, line: String) {
            self.purpose = purpose
            self.line = line
        }
    }

    /// The gateway's own radio, a remote receiver, or a listening module.
    package struct Receiver: Equatable, Sendable {
        package var name: String
        package var location: String
        package var state: StateTag
        package var offset: String

        package init(name: String, location: String, state: StateTag, offset: String) {
            self.name = name
            self.location = location
            self.state = state
            self.offset = offset
        }
    }

    /// Beacon that hangs at a receiver of the gateway.
    package struct Beacon: Equatable, Sendable {
        package var id: String
        package var receiver: String
        /// Source of its place, in words.
        package var basis: String

        package init(id: String, receiver: String, basis: String) {
            self.id = id
            self.receiver = receiver
            self.basis = basis
        }
    }

    /// Level at which a receiver hears the beacon of another one.
    package struct Level: Equatable, Sendable {
        package var beacon: String
        package var hearer: String
        package var level: String
        /// Level that follows from the plan of the building.
        package var expected: String
        package var difference: String

        package init(beacon: String, hearer: String, level: String, expected: String, difference: String) {
            self.beacon = beacon
            self.hearer = hearer
            self.level = level
            self.expected = expected
            self.difference = difference
        }
    }

    package init(
        _ frame: Frame, place: String, state: StateTag, what: String, remedy: String?, map: String?,
        facts: [LabelledFact],
        receivers: [Receiver], beacons: [Beacon], levels: [Level], levelsTime: String?,
        modules: [Module] = [], hasButtons: Bool = false, commands: [Command] = [], trust: Trust = Trust()
    ) {
        self.frame = frame
        self.place = place
        self.state = state
        self.what = what
        self.remedy = remedy
        self.map = map
        self.facts = facts
        self.receivers = receivers
        self.beacons = beacons
        self.levels = levels
        self.levelsTime = levelsTime
        self.modules = modules
        hasModules = !modules.isEmpty
        self.hasButtons = hasButtons
        self.commands = commands
        hasCommands = !commands.isEmpty
        self.trust = trust
    }
}
