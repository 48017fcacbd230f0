import Foundation
import NevisMobileAuthentication
import Testing

@Suite("The module name of the closed SDK")
struct OldModuleNameTests {
    /// Foundation has a class of this name, so applications write the module before it.
    private var running: NevisMobileAuthentication.Operation?

    @Test("O-A1: names that are qualified by the old module name are the SDK's")
    func qualifiedNames() {
        let code: NevisMobileAuthentication.FidoErrorCode = .userCanceled
        let error = NevisMobileAuthentication.OperationError.FidoError(errorCode: code, cause: nil)
        #expect(error.isUserCancellation)
        #expect(running == nil)
    }
}
