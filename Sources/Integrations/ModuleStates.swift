/// The states of a module, as on its topic.
enum ModuleStates {
    static let all = ["absent", "provisioning", "advertising", "unverified", "not-heard", "failed"]
}
