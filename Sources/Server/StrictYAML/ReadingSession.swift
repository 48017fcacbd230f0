/// State of one reading of a configuration: the problems found, and the environment variables that override a setting.
///
/// A class, because all section readers of one reading write into it; it never leaves that reading.
final class ReadingSession {
    let source: ConfigurationSource
    private(set) var problems: [ConfigurationProblem] = []
    private var knownVariables: Set<String> = []

    static let variablePrefix = "SIGNET_SERVER_"

    init(source: ConfigurationSource) {
        self.source = source
    }

    func report(_ location: SourceLocation, _ path: [String], _ reason: ConfigurationProblem.Reason) {
        problems.append(ConfigurationProblem(location, path: path, reason))
    }

    /// The variable that overrides the setting at `path`, if it is set.
    func override(of path: [String]) -> (variable: String, value: String)? {
        let variable = Self.variable(for: path)
        knownVariables.insert(variable)
        return source.environment[variable].map { (variable, $0) }
    }

    /// Reports variables that look like overrides but override nothing.
    func reportUnknownVariables() {
        let strangers = source.environment.keys.filter {
            $0.hasPrefix(Self.variablePrefix) && !knownVariables.contains($0)
        }
        for variable in strangers.sorted() {
            report(
                .environment(variable: variable), [],
                .unknownKey(suggestion: Suggestion.nearest(to: variable, among: knownVariables.sorted())))
        }
    }

    /// `server.tls.private-key-file` is overridden by `SIGNET_SERVER_SERVER_TLS_PRIVATE_KEY_FILE`.
    static func variable(for path: [String]) -> String {
        variablePrefix + path.joined(separator: "_").uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
}
