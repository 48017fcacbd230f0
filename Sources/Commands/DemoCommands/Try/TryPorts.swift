import CommandSupport
import DeviceCommands
import Foundation
import StrictJSON

/// Ports of a trial on loopback, kept in its folder: accounts, clients and addresses are bound to them.
struct TryPorts {
    enum Part: String, CaseIterable {
        case shop, phone, server
        case management, pushSink

        fileprivate var standard: Int? {
            switch self {
            case .shop: 8_180
            case .phone: 8_181
            case .server, .management, .pushSink: nil
            }
        }

        /// Way out for a person whose port is taken.
        fileprivate func failure(_ port: Int) -> CommandFailure {
            switch self {
            case .shop, .phone:
                .local("PortTaken", "port \(port) of the \(rawValue) is taken: choose another with --\(rawValue)-port")
            case .server, .management, .pushSink:
                .local(
                    "PortTaken",
                    "another program has port \(port), which the server of this folder needs: end that program, or begin "
                        + "anew with another --folder")
            }
        }
    }

    private let numbers: [Part: Int]
    private let held: FreePorts

    /// Takes the chosen ports, or the ports of an earlier trial in the folder, or new ones, and keeps them in the
    /// folder.
    ///
    /// Throws ``CommandFailure``, with the option that helps where a port is taken.
    init(folder: URL, chosen: [Part: Int]) throws {
        let file = folder.appending(path: "ports.json")
        var numbers = try Self.kept(in: file).merging(chosen) { $1 }
        do throws(FreePorts.Exhausted) {
            held = try FreePorts(Part.allCases.count)
        } catch {
            throw CommandFailure.local("PortsTaken", "the system has no free ports")
        }
        for (part, free) in zip(Part.allCases, held.numbers) where numbers[part] == nil {
            numbers[part] = part.standard ?? free
        }
        for part in Part.allCases {
            guard let port = numbers[part], FreePorts.isFree(port), numbers.values.count(where: { $0 == port }) == 1
            else { throw part.failure(numbers[part] ?? 0) }
        }
        self.numbers = numbers
        let members = Part.allCases.map { JSONObject.Member($0.rawValue, .integer(numbers[$0] ?? 0)) }
        try PrivateFile(path: file.path()).write(JSONWriter.text(.object(JSONObject(distinct: members))))
    }

    subscript(part: Part) -> Int { numbers[part] ?? 0 }

    private static func kept(in file: URL) throws -> [Part: Int] {
        guard let content = FileManager.default.contents(atPath: file.path()) else { return [:] }
        guard let members = try? JSONParser.parse([UInt8](content)).asObject() else {
            throw CommandFailure.local(
                "FolderUnreadable", "\(file.path()) cannot be read: begin anew with another --folder")
        }
        var numbers: [Part: Int] = [:]
        for part in Part.allCases { numbers[part] = members.number(part.rawValue) }
        return numbers
    }
}
