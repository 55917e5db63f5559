import CBuildInfo
package import OperatorText

extension ProductVersion {
    /// The version and the commit of this build.
    package static var ofBuild: String { text(commit: commitOfBuild) }
    /// The commit of this build; empty where it is not known.
    package static var commitOfBuild: String { String(cString: beacon_build_commit()) }
}
