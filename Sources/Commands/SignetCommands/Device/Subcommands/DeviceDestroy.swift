import ArgumentParser
import Foundation
import StrictJSON
import VirtualDevice

/// `signet device destroy`: removes a phone with all its keys, also what they take of the memory of a chip.
struct DeviceDestroy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destroy",
        abstract: "Removes this phone with all its keys; the servers are not asked and keep their records.",
        discussion: """
            Removing the folder alone would leave the counters of the phone in the TPM, which has room for some two \
            dozen.
            """)

    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await phone.report {
            let path = phone.folder.path
            try await VirtualDevice.destroyKeys(inDirectory: path)
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw CommandFailure.local("FileUnwritable", "the keys are destroyed, but \(path) cannot be removed")
            }
            return CommandReport.Outcome(
                text: "The phone in \(path) is gone. The servers still have its records.",
                result: JSONObject(["folder": .string(path)]))
        }
    }
}
