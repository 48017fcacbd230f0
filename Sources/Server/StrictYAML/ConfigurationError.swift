/// Failure to read a configuration.
@nonexhaustive
package enum ConfigurationError: Error, Hashable, Sendable {
    case notYAML(SourceLocation, problem: String)
    /// The file is larger than a configuration can sensibly be; `limit` in bytes.
    case tooLarge(byteCount: Int, limit: Int)
    /// Everything that is wrong with the settings, in the order of the file.
    case problems([ConfigurationProblem])
}

extension ConfigurationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notYAML(let location, let problem): "\(location): not YAML: \(problem)"
        case .tooLarge(let byteCount, let limit): "the file has \(byteCount) bytes, more than \(limit)"
        case .problems(let problems): problems.map(\.description).joined(separator: "\n")
        }
    }
}
