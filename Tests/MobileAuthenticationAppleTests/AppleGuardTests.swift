import AppleDarwin
import Testing

@testable import TamperGuards

@Suite("The guards of Apple platforms see what a kernel tells")
struct AppleGuardTests {
    /// Findings of all guards in a process with a kernel that is changed by `change`.
    private func findings(
        allowing allowances: GuardPolicy.Allowances = .init(),
        _ change: (inout StubKernel.State) -> Void = { _ in }
    ) -> (signs: [String], unknown: [String]) {
        var state = StubKernel.State()
        change(&state)
        return StubKernel.$current.withValue(StubKernel(state)) {
            let results = AppleGuards.all(allowing: allowances).map { $0.inspect(.round) }
            return (results.flatMap(\.findings).map(\.name), results.flatMap(\.unknown))
        }
    }

    @Test("A process as it should be has no findings")
    func clear() {
        #expect(findings().signs.isEmpty && findings().unknown.isEmpty)
    }

    @Test("A debugger shows in the flags of the process; a kernel that does not tell is no clear answer")
    func debugger() {
        #expect(findings { $0.processFlags = P_TRACED }.signs == ["debugger.tracer"])
        let silent = findings { $0.tellsOfProcesses = false }
        #expect(silent.signs.isEmpty && silent.unknown == ["the kernel does not tell about this process"])
    }

    @Test("Images of known tools are found, unless the application allows them by their path")
    func images() {
        let substrate = "/Library/MobileSubstrate/DynamicLibraries/Substrate.dylib"
        #expect(findings { $0.images.append(substrate) }.signs == ["hook.foreign-object"])
        #expect(findings { $0.images.append("/usr/lib/frida-agent.dylib") }.signs == ["instrumentation.agent"])
        var allowances = GuardPolicy.Allowances()
        allowances.objects = [substrate]
        #expect(findings(allowing: allowances) { $0.images.append(substrate) }.signs.isEmpty)
    }

    @Test("A jailbreak shows by each of the files that it leaves", arguments: AppleRootGuard.paths)
    func root(path: String) {
        #expect(findings { $0.paths = [path] }.signs == ["root.open-system"])
    }
}
