/// State of one reading of a configuration: the problems found, and the environment variables that override a setting.
///
/// A class, because all section readers of one reading write into it; it never leaves that reading.
package final class ReadingSession {
    package let source: ConfigurationSource
    /// The problems found so far, in the order of the file.
    package private(set) var problems: [ConfigurationProblem] = []
    private var knownVariables: Set<String> = []
    /// Beginning of the names of the variables that override a setting; nil when none does.
    private let variablePrefix: String?

    init(source: ConfigurationSource, variablePrefix: String?) {
        self.source = source
        self.variablePrefix = variablePrefix
    }

    func report(_ location: SourceLocation, _ path: [String], _ reason: ConfigurationProblem.Reason) {
        problems.append(ConfigurationProblem(location, path: path, reason))
    }

    func override(of path: [String]) -> (variable: String, value: String)? {
        guard let variable = variable(for: path) else { return nil }
        knownVariables.insert(variable)
        return source.environment[variable].map { (variable, $0) }
    }

    /// Reports variables that look like overrides but override nothing.
    func reportUnknownVariables() {
        guard let variablePrefix else { return }
        let strangers = source.environment.keys.filter {
            $0.hasPrefix(variablePrefix) && !knownVariables.contains($0)
        }
        for variable in strangers.sorted() {
            report(
                .environment(variable: variable), [],
                .unknownKey(suggestion: Suggestion.nearest(to: variable, among: knownVariables.sorted())))
        }
    }

    /// Variable for a setting: with the prefix `SIGNET_SERVER_` that for `server.tls.private-key-file` is
    /// `SIGNET_SERVER_SERVER_TLS_PRIVATE_KEY_FILE`.
    private func variable(for path: [String]) -> String? {
        let name = path.joined(separator: "_").uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
        return variablePrefix.map { $0 + name }
    }
}
