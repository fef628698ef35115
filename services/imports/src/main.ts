import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { importsService } from './service';

void runService(importsService, variables, process.env);
