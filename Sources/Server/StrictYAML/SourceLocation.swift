/// Place at which a setting was written.
package enum SourceLocation: Sendable, Hashable {
    /// A place in the configuration file; line and column count from 1.
    case file(name: String, line: Int, column: Int)
    case environment(variable: String)
    /// Nowhere: a default, or something that is absent.
    case absent
}

extension SourceLocation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file("", _, _): "configuration"
        case .file(let name, let line, let column): "\(name):\(line):\(column)"
        case .environment(let variable): "environment variable \(variable)"
        case .absent: "configuration"
        }
    }
}
