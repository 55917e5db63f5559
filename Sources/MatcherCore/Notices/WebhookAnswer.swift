/// The outcome of a delivery to the webhook.
package enum WebhookAnswer: Equatable {
    case taken
    /// Refusal of this notice alone: others may be accepted.
    case refused
    case unavailable
}
