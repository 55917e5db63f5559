/// The states of a module, as published on its topic.
enum ModuleStates {
    static let all = ["absent", "provisioning", "advertising", "unverified", "not-heard", "failed"]
}
