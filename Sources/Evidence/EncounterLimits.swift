package import Matching

/// What a contact rule asks of stays before they are compared, in whole seconds and centimetres.
package struct EncounterLimits {
    package var window: Int64
    package var longest: Int64
    /// Centimetres.
    package var radius: Int64
    package var placeRadius: Int64
    package var sum: Int64

    package init(rule: ContactRule, longest: Int64) {
        let unlimited: Int64 = 1_000_000_000
        window = rule.window
        self.longest = longest
        radius = rule.radius
        placeRadius = rule.placeRadius ?? unlimited
        sum = rule.nearness == .sumOfDistances ? rule.radius : unlimited
    }
}
