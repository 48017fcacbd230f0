package import ArgumentParser

package struct DeviceCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Use a phone on the command line; a folder holds it and its keys.",
        subcommands: [
            DeviceInit.self, DeviceRegister.self, DeviceAuthenticate.self, DevicePin.self, DevicePassword.self,
            DeviceAuthenticators.self, DeviceDeregister.self, DeviceDeleteLocal.self, DeviceList.self,
            DeviceShow.self, DeviceScan.self, DeviceOpen.self, DevicePending.self, DeviceListen.self,
            DeviceApprove.self,
            DeviceDeny.self, DeviceRecordCommand.self, DeviceCheck.self, DeviceSync.self, DeviceScriptCommand.self,
            DeviceInteractive.self, DeviceDestroy.self,
        ])

    package init() {}
}
