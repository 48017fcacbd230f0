import Foundation
import StrictJSON

/// The manifest as SwiftPM describes it, written to a file by `script/test` before the tests start.
struct PackageDescription {
    /// One target with the modules it names as dependencies.
    struct Target {
        var name: String
        var path: String
        var kind: String
        var dependencies: Set<String>
    }

    static let location = ProcessInfo.processInfo.environment["SIGNET_PACKAGE_DESCRIPTION"]

    var targets: [Target]

    /// Reads the file that `SIGNET_PACKAGE_DESCRIPTION` names.
    init(contentsOf path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let limits = JSONLimits(byteCount: 1 << 24, depth: 32, elementCount: 100_000, nameByteCount: 256)
        let root = try JSONParser.parse(bytes, limits: limits).asObject()
        targets = try root.required("targets") { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in try PackageDescription.target(element) }
        }
    }

    private static func target(_ value: JSONValue) throws(JSONTypeError) -> Target {
        let object = try value.asObject()
        let names = { (member: String) throws(JSONTypeError) -> [String] in
            try object.optional(member) { list throws(JSONTypeError) in
                try list.asArray { name throws(JSONTypeError) in try name.asString() }
            } ?? []
        }
        return Target(
            name: try object.required("name") { name throws(JSONTypeError) in try name.asString() },
            path: try object.required("path") { path throws(JSONTypeError) in try path.asString() },
            kind: try object.required("type") { kind throws(JSONTypeError) in try kind.asString() },
            dependencies: Set(try names("target_dependencies") + names("product_dependencies")))
    }
}
