/// One thing in a configuration that keeps it from being used.
///
/// It names keys, places and files, never the value of a setting.
package struct ConfigurationProblem: Sendable, Hashable {
    /// Kind of problem, with what corrects it.
    @nonexhaustive
    package enum Reason: Sendable, Hashable {
        case unknownKey(suggestion: String?)
        case wrongType(expected: String)
        /// The value has the right type but is outside the allowed range or list.
        case notAllowed(rule: String)
        case missing
        /// `${env:NAME}` names a variable that is not set.
        case unsetVariable(name: String)
        case unreadableFile(path: String)
        /// A file that holds a secret can be read by others than its owner.
        case exposedFile(path: String, permissions: UInt16)
        /// `${...}` with something other than `env:` or `file:` in it.
        case unknownSubstitution
    }

    package let location: SourceLocation
    /// The names of the sections and of the setting, from the outside inwards.
    package let path: [String]
    package let reason: Reason

    package init(_ location: SourceLocation, path: [String], _ reason: Reason) {
        self.location = location
        self.path = path
        self.reason = reason
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// One line for the operator.
    package var description: String {
        let name = path.joined(separator: ".")
        return "\(location): \(name.isEmpty ? "" : "\(name): ")\(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .unknownKey(let suggestion): "unknown setting" + (suggestion.map { ", did you mean \"\($0)\"?" } ?? "")
        case .wrongType(let expected): "expected \(expected)"
        case .notAllowed(let rule): rule
        case .missing: "must be given"
        case .unsetVariable(let name): "the environment variable \(name) is not set"
        case .unreadableFile(let path): "cannot read \(path)"
        case .exposedFile(let path, let permissions):
            "\(path) holds a secret but has mode 0\(String(permissions, radix: 8)); "
                + "make it readable by its owner only (chmod 600)"
        case .unknownSubstitution: "only ${env:NAME} and ${file:PATH} are replaced; write $${ for a plain ${"
        }
    }
}
