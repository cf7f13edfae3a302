import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file, no request, no hash in any name: the same source gives the same bytes.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    // light-dark() must stay as it is: from these versions on browsers know it.
    target: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    rollupOptions: { input: "report.html" },
    reportCompressedSize: false,
  },
});
