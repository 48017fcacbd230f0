import Yams

/// One value of the configuration file with its place.
struct ConfigurationNode: Sendable {
    indirect enum Value: Sendable {
        case scalar(text: String, kind: ScalarKind)
        case list([ConfigurationNode])
        case section([(key: String, node: ConfigurationNode)])
    }

    /// YAML type of a scalar without quotes; a quoted one is always text.
    enum ScalarKind: Sendable {
        case text, integer, flag, absent, fraction
    }

    let value: Value
    let location: SourceLocation

    static let byteLimit = 1024 * 1024

    /// Reads the one document of a file; an empty file is an empty section.
    static func parse(_ text: String, fileName: String) throws(ConfigurationError) -> ConfigurationNode {
        guard text.utf8.count <= byteLimit else {
            throw .tooLarge(byteCount: text.utf8.count, limit: byteLimit)
        }
        do {
            guard let root = try Yams.compose(yaml: text) else {
                return ConfigurationNode(value: .section([]), location: .absent)
            }
            return ConfigurationNode(root, fileName: fileName)
        } catch let error as YamlError {
            throw error.configurationError(fileName: fileName)
        } catch {
            throw .notYAML(.file(name: fileName, line: 1, column: 1), problem: "unreadable")
        }
    }

    init(value: Value, location: SourceLocation) {
        self.value = value
        self.location = location
    }

    private init(_ node: Node, fileName: String) {
        let mark = node.mark
        location = .file(name: fileName, line: mark?.line ?? 1, column: mark?.column ?? 1)
        switch node {
        case .scalar(let scalar): value = .scalar(text: scalar.string, kind: ScalarKind(scalar))
        case .sequence(let sequence): value = .list(sequence.map { ConfigurationNode($0, fileName: fileName) })
        case .mapping(let mapping):
            value = .section(
                mapping.map { pair in
                    let key = pair.key.scalar?.string ?? "?"
                    return (key, ConfigurationNode(pair.value, keyMark: pair.key.mark, fileName: fileName))
                })
        case .alias: value = .scalar(text: "", kind: .absent)
        }
    }

    /// A value of a section; its location is the location of the key, where an editor should jump to.
    private init(_ node: Node, keyMark: Mark?, fileName: String) {
        let inner = ConfigurationNode(node, fileName: fileName)
        let place = keyMark.map { SourceLocation.file(name: fileName, line: $0.line, column: $0.column) }
        self.init(value: inner.value, location: place ?? inner.location)
    }
}

extension ConfigurationNode.ScalarKind {
    fileprivate init(_ scalar: Node.Scalar) {
        guard scalar.style == .plain || scalar.style == .any else {
            self = .text
            return
        }
        switch scalar.string {
        case "true", "false": self = .flag
        case "", "~", "null", "Null", "NULL": self = .absent
        default:
            if Int(scalar.string) != nil {
                self = .integer
            } else {
                self = Double(scalar.string) != nil ? .fraction : .text
            }
        }
    }
}

extension YamlError {
    fileprivate func configurationError(fileName: String) -> ConfigurationError {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            .notYAML(.file(name: fileName, line: mark.line, column: mark.column), problem: problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            .notYAML(
                .file(name: fileName, line: context.mark.line, column: context.mark.column),
                problem: "given twice: " + duplicates.joined(separator: ", "))
        default: .notYAML(.file(name: fileName, line: 1, column: 1), problem: "unreadable text")
        }
    }
}
