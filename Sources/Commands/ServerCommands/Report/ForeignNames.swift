import BackendAPI
import CommandSupport
import UAF

extension UserName: Foreign {}

extension DeviceName: Foreign {}
