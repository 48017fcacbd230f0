import Foundation
import HardwareKeys
import UserVerificationLinux

// A process that checks the passcode on its standard input against the service FOLDER/NAME. Tests start it with
// libpam_wrapper loaded, so that PAM itself takes that folder for the system's.

/// Gives what came in on the standard input.
struct StandardInput: PasscodeEntry {
    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode {
        let bytes = (try? FileHandle.standardInput.readToEnd()) ?? Data()
        guard let passcode = Passcode(copying: bytes) else { throw .mismatch }
        return passcode
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let service = PAMService(name: arguments[1], searched: [arguments[2]]) else { exit(64) }
let passcode = PAMPasscode(service: service, entry: StandardInput()) { print("problem:", $0) }
do {
    let proof = try await passcode.verify(PresencePrompt(reason: "A test wants to know."))
    print("passed", proof.gate)
} catch {
    print("refused", error)
}
